"""One registry in several event loops, one after the other and at a time."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import pytest
from example_service import bound, tool
from toolspec.runtime import Call, Limits, Next, ToolError

if TYPE_CHECKING:
    from toolspec.runtime import Registry

SECONDS = 10.0


def code_of(registry: Registry) -> str:
    """Return how a call in a loop of its own ends: `ok`, or the code of its error."""
    try:
        asyncio.run(registry.call("demo_act"))
    except ToolError as error:
        return error.code
    return "ok"


def code_when_free(registry: Registry) -> str:
    ends = time.monotonic() + SECONDS
    while (code := code_of(registry)) == "too_many_calls" and time.monotonic() < ends:
        time.sleep(0.001)
    return code


def test_a_thread_that_ends_after_its_loop_gives_its_place_back() -> None:
    release = threading.Event()

    def hangs(input: object) -> str:
        release.wait(SECONDS)
        return "done"

    registry = bound(tool(timeout_total=0.02), hangs)
    registry = registry.with_controls(limits=Limits(concurrency=1))
    assert code_of(registry) == "total_timeout"
    assert code_of(registry) == "too_many_calls"
    release.set()
    assert code_when_free(registry) == "ok"


def test_a_thread_keeps_its_place_though_middleware_ends_later_than_its_call() -> None:
    release, cleaned = threading.Event(), asyncio.Event()

    def hangs(input: object) -> str:
        release.wait(SECONDS)
        return "done"

    async def cleans(call: Call, following: Next) -> object:
        try:
            return await following()
        finally:
            await asyncio.sleep(0)
            cleaned.set()

    async def main() -> None:
        registry = bound(tool(timeout_total=0.02), hangs).with_hooks(middleware=[cleans])
        registry = registry.with_controls(limits=Limits(concurrency=1))
        with pytest.raises(ToolError, match="took longer"):
            await registry.call("demo_act")
        await asyncio.wait_for(cleaned.wait(), SECONDS)
        await asyncio.sleep(0)
        with pytest.raises(ToolError, match="is busy"):
            await registry.call("demo_act")
        release.set()

    asyncio.run(main())
