"""What one look at a handler lets pass, the whole inquiry lets pass too."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from example_service import echo, service, streaming, tool
from toolspec.runtime.required_methods import handler_misfits
from toolspec.runtime.signature_check import handler_problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.required_methods import Asked

KINDS = {
    "coroutine": "async def run({}): pass",
    "stream": "async def run({}): yield",
    "generator": "def run({}): yield",
    "plain": "def run({}): pass",
}
PARAMETERS = (
    *("", "input", "ctx", "input, ctx", "input, context", "input, ctx=None", "input=1, ctx=None"),
    *("input, output, ctx", "*given", "input, *rest", "input, ctx, *rest", "input, *, ctx"),
    *("input, ctx, *, more", "input, ctx, *, more=1", "input, ctx, /", "input, ctx, **rest"),
)


def shapes() -> Iterator[tuple[str, AnyCallable]]:
    for kind, taken in itertools.product(KINDS, PARAMETERS):
        made: dict[str, AnyCallable] = {}
        exec(KINDS[kind].format(taken), made)  # noqa: S102 - the texts above
        yield f"{kind}: {taken}", made["run"]


@pytest.mark.parametrize("asked", [tool("run"), streaming("run")], ids=["plain", "streaming"])
def test_one_look_says_what_the_whole_inquiry_says(asked: ToolDefinition) -> None:
    fitting = []
    for shape, function in shapes():
        handlers = {"run": function}
        found = handler_problems(service(asked), handlers)
        needs: Asked = {"run": (asked, "", ("input",))}
        assert found == handler_misfits(handlers, needs, handlers, ()), shape
        if not found:
            fitting.append(shape)
    assert 0 < len(fitting) < len(list(shapes()))


def test_an_attribute_without_a_name_is_nobodys() -> None:
    asked = tool("run")
    handlers = SimpleNamespace(run=echo)
    setattr(handlers, "", 1)
    assert handler_problems(service(asked), handlers) == []
