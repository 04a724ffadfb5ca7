"""What stands between the limits and the handler, credentials and `before` hooks, is held to them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from example_service import service, streaming, tool
from stepping_loop import now, run
from toolspec.runtime import Call, Limits, Registry, ToolDefinition, ToolError, bind_service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TOOLS = [
    tool("act", timeout_total=2.0),
    tool("act", timeout_idle=2.0),
    tool("act"),
    streaming("tell", timeout_total=2.0),
    streaming("tell"),
]


async def slow(_: object) -> dict[str, object]:
    await asyncio.sleep(60)
    return {}


async def act(_: object) -> object:
    return "done"


async def tell(_: object) -> AsyncIterator[str]:
    yield "done"


def bound(definition: ToolDefinition, stage: str) -> Registry:
    """Return a registry of one tool, in which a stage before the handler takes a minute."""
    handlers = {"act": act, "tell": tell}
    handler = {definition.method: handlers[definition.method]}

    async def before(call: Call) -> None:
        await slow(call)

    provider = slow if stage == "credentials" else None
    registry = bind_service(service(definition, auth="custom"), handler, credentials=provider)
    hooked = registry.with_hooks(before=[before] if stage == "before" else [])
    return hooked.with_controls(limits=Limits(concurrency=1, total=2.0))


@pytest.mark.parametrize("stage", ["credentials", "before"])
@pytest.mark.parametrize("form", ["call", "stream"])
@pytest.mark.parametrize("definition", TOOLS)
def test_what_is_slow_before_the_handler_is_answered_in_time(
    definition: ToolDefinition, form: str, stage: str
) -> None:
    registry = bound(definition, stage)

    async def main() -> tuple[str, float]:
        called = registry.call if form == "call" else lambda name: anext(registry.stream(name))
        with pytest.raises(ToolError) as caught:
            await called(definition.full_name)
        return caught.value.category, now()

    assert run(main()) == ("timeout", 2.0)
    assert run(main()) == ("timeout", 2.0)  # its place was given back


def test_a_revert_waits_for_credentials_no_longer_than_for_its_work() -> None:
    definition = tool("act", revert=True, timeout_total=2.0)
    undone: list[object] = []
    given: list[object] = []

    async def revert(input: object, output: object, metadata: object) -> None:
        undone.append(output)

    async def provider(caller: str | None) -> dict[str, object]:
        given.append(caller)
        return await slow(caller) if len(given) == 2 else {}  # the second time is the first revert

    handlers = {"act": act, "revert_act": revert}
    registry = bind_service(service(definition, auth="custom"), handlers, credentials=provider)

    async def main() -> None:
        await registry.call("demo_act")
        first = await registry.revert_last()
        assert now() == 2.0
        second = await registry.revert_last()
        assert first is not None
        assert second is not None
        assert (first.status, second.status) == ("failed", "reverted")

    run(main())
    assert undone == ["done"]
