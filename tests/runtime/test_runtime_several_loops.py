"""One registry in several event loops, one after the other and at a time."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, tool
from toolspec.runtime import Call, Limits, Next, Outcome, ToolError, bind_service

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


def test_reverts_at_a_time_wait_for_each_other_in_every_loop() -> None:
    undone: list[object] = []

    async def revert_act(input: object, output: object, metadata: object) -> None:
        await asyncio.sleep(0)
        undone.append(input)

    registry = bind_service(service(tool(revert=True)), {"act": echo, "revert_act": revert_act})

    async def main() -> list[str]:
        for number in range(3):
            await registry.call("demo_act", {"n": number})
        outcomes = await asyncio.gather(*(registry.revert_last() for _ in range(3)))
        return [outcome.status for outcome in outcomes if outcome is not None]

    for _ in range(2):
        assert asyncio.run(main()) == ["reverted"] * 3
    assert undone == [{"n": 2}, {"n": 1}, {"n": 0}] * 2


def test_hooks_beside_the_answers_are_waited_for_by_their_own_loop() -> None:
    ran: list[str] = []
    release = threading.Event()

    async def notes(call: Call, outcome: Outcome) -> None:
        await asyncio.to_thread(release.wait, SECONDS)
        ran.append(outcome.status)

    registry = bound(tool(), echo).with_hooks(after_response=[notes])

    def one(started: threading.Event, others: threading.Event) -> None:
        async def main() -> None:
            await registry.call("demo_act")
            started.set()
            assert await asyncio.to_thread(others.wait, SECONDS)
            await registry.settled()

        asyncio.run(main())

    events = threading.Event(), threading.Event()
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(one, *events), pool.submit(one, *events[::-1])]
        for event in events:
            assert event.wait(SECONDS)
        release.set()
        for job in jobs:
            job.result(SECONDS)
    assert ran == ["ok", "ok"]


def test_who_no_longer_waits_for_hooks_stops_none_of_them() -> None:
    ran: list[str] = []

    async def main() -> None:
        release = asyncio.Event()

        async def notes(call: Call, outcome: Outcome) -> None:
            await release.wait()
            ran.append(outcome.status)

        registry = bound(tool(), echo).with_hooks(after_response=[notes])
        await registry.call("demo_act")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(registry.settled(), 0.01)
        release.set()
        await registry.settled()

    asyncio.run(main())
    assert ran == ["ok"]
