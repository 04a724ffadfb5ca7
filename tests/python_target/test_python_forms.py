"""Handlers as people write them, `async def` or `def`, from scratch or by inheriting: checkers agree."""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import TYPE_CHECKING, Any

import pytest
from built import program, service, tool
from checkers import CHECKERS, PYRIGHT, mypy
from formatting import run
from toolspec.runtime import ToolError
from toolspec.targets.python import TARGET
from toolspec.targets.target import emit_program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

USER_CODE = """
from collections.abc import AsyncIterator

from made_for_forms.demo import (
    CountChunk, CountInput, DemoHandlers, DemoStubs, FindInput, FindOutput, bind,
)
from toolspec.runtime import Context


class Counting:
    async def count(self, input: CountInput, ctx: Context[None, None]) -> AsyncIterator[CountChunk]:
        yield 1


class Async:
    async def find(self, input: FindInput, ctx: Context[None, None]) -> FindOutput:
        return "found"

    async def verify_find(
        self, input: FindInput, output: FindOutput, ctx: Context[None, None]
    ) -> str | None:
        return None


class Plain:
    def find(self, input: FindInput, ctx: Context[None, None]) -> FindOutput:
        return "found"

    def verify_find(
        self, input: FindInput, output: FindOutput, ctx: Context[None, None]
    ) -> str | None:
        return None


class AsyncAlone(Async, Counting): ...
class PlainAlone(Plain, Counting): ...
class AsyncDeclared(Async, Counting, DemoHandlers): ...
class PlainDeclared(Plain, Counting, DemoHandlers): ...


class AsyncFromStubs(DemoStubs):
    async def find(self, input: FindInput, ctx: Context[None, None]) -> FindOutput:
        return "found"

    async def count(self, input: CountInput, ctx: Context[None, None]) -> AsyncIterator[CountChunk]:
        yield 1


class PlainFromStubs(DemoStubs):
    def find(self, input: FindInput, ctx: Context[None, None]) -> FindOutput:
        return "found"


registries = [
    bind(AsyncAlone()),
    bind(PlainAlone()),
    bind(AsyncDeclared()),
    bind(PlainDeclared()),
    bind(AsyncFromStubs()),
    bind(PlainFromStubs()),
    bind(DemoStubs()),
]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("forms")
    numbers = {"type": "array", "items": {"type": "integer"}}
    one = service(
        "demo",
        tool("find", output={"type": "string"}, verify=True),
        tool("count", output=numbers, chunk={"type": "integer"}),
    )
    for artifact in emit_program(TARGET, program(one)).value:
        path = folder / "made_for_forms" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    (folder / "user_forms.py").write_text(USER_CODE, encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.mark.parametrize("command", CHECKERS)
def test_checkers_take_every_form(folder: Path, command: tuple[str, ...]) -> None:
    assert run(folder, *command, "user_forms.py", "made_for_forms") == ""
    wrong = USER_CODE.replace('return "found"', "return 1", 1)
    (folder / "wrong_forms.py").write_text(wrong, encoding="utf-8")
    assert "wrong_forms.py" in run(folder, *command, "wrong_forms.py")


def test_so_does_the_runtime(folder: Path) -> None:
    assert folder.is_dir()
    *written, unwritten = importlib.import_module("user_forms").registries
    for registry in written[:4]:
        assert asyncio.run(_called(registry, "demo_find")) == "found"
        assert asyncio.run(_called(registry, "demo_count")) == [1]
    for name in ("demo_find", "demo_count"):
        with pytest.raises(ToolError, match="is not implemented"):
            asyncio.run(_called(unwritten, name))


async def _called(registry: Any, name: str) -> object:
    return await registry.call(name, {})


EXTRA_ITEMS = """
from typing_extensions import TypedDict


class Open(TypedDict, extra_items=int):
    name: str


value: Open = {"name": "x", "more": 5}
"""


@pytest.mark.prove
def test_extra_items_wait_for_both_checkers(tmp_path: Path) -> None:
    """When this fails both accept PEP 728: write `extra_items` into the stubs, and delete this test."""
    (tmp_path / "extra.py").write_text(EXTRA_ITEMS, encoding="utf-8")
    answers = [
        run(tmp_path, *mypy(), "extra.py"),
        run(tmp_path, *PYRIGHT, "extra.py"),
    ]
    assert any(answers)
