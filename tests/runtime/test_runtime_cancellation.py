from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from example_service import bound, streaming, tool
from toolspec.runtime import Call, Limits, Registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

LIMITS = [None, Limits(idle=60, total=60)]


class Handler:
    """A handler that notes what it knows when its cancellation reaches it."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.known: list[object] = []

    async def act(self, input: object, ctx: Any) -> None:
        self.begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            self.known.append(ctx.cancelled.is_set())

    async def tell(self, input: object, ctx: Any) -> AsyncIterator[str]:
        yield "one"
        await self.act(input, ctx)

    async def poll(self, input: object, ctx: Any) -> None:
        """Wait for a thread that only the event can end."""

        def wait() -> None:
            while not ctx.cancelled.is_set():
                self.begun._loop.call_soon_threadsafe(self.begun.set)  # type: ignore[attr-defined]
                threading.Event().wait(0.001)
            self.known.append("thread")

        self.begun._loop = asyncio.get_running_loop()  # type: ignore[attr-defined]
        work = asyncio.ensure_future(asyncio.to_thread(wait))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            await work
            raise


async def cancelled(handler: Handler, work: Callable[[], Any]) -> list[object]:
    task = asyncio.create_task(work())
    await handler.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return handler.known


def limited(registry: Registry, limits: Limits | None) -> Registry:
    return registry.with_controls(limits=limits)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("is_staged", [False, True])
def test_a_handler_knows_that_it_is_cancelled_before_it_unwinds(
    limits: Limits | None, is_staged: bool
) -> None:
    async def before(call: Call) -> None: ...

    async def main() -> list[object]:
        handler = Handler()
        registry = limited(bound(tool(), handler.act), limits)
        if is_staged:
            registry = registry.with_hooks(before=[before])
        return await cancelled(handler, lambda: registry.call("demo_act", {}))

    assert asyncio.run(main()) == [True]


@pytest.mark.parametrize("limits", LIMITS)
def test_so_does_one_that_streams(limits: Limits | None) -> None:
    async def main() -> list[object]:
        handler = Handler()
        registry = limited(bound(streaming(), handler.tell), limits)

        async def read() -> None:
            async for _ in registry.stream("demo_tell", {}):
                pass

        return await cancelled(handler, read)

    assert asyncio.run(main()) == [True]


@pytest.mark.parametrize("limits", LIMITS)
def test_a_time_limit_inside_a_streaming_handler_is_no_cancellation_of_the_call(
    limits: Limits | None,
) -> None:
    async def handler(input: object, ctx: Any) -> AsyncIterator[str]:
        try:
            async with asyncio.timeout(0.001):
                await asyncio.sleep(60)
        except TimeoutError:
            yield "late"
        yield "" if ctx.cancelled.is_set() else "r"

    async def main() -> object:
        registry = limited(bound(streaming(), handler), limits)
        return await registry.call("demo_tell", {})

    assert asyncio.run(main()) == "later"


@pytest.mark.parametrize("limits", LIMITS)
def test_a_thread_of_an_async_handler_is_told(limits: Limits | None) -> None:
    async def main() -> list[object]:
        handler = Handler()
        registry = limited(bound(tool(), handler.poll), limits)
        return await cancelled(handler, lambda: registry.call("demo_act", {}))

    assert asyncio.run(main()) == ["thread"]


def test_the_end_of_another_task_is_no_cancellation_of_the_call() -> None:
    async def handler(input: object, ctx: Any) -> bool:
        other = asyncio.create_task(asyncio.sleep(60))
        other.cancel()
        try:
            await other
        except asyncio.CancelledError:
            return bool(ctx.cancelled.is_set())
        return True

    assert asyncio.run(bound(tool(), handler).call("demo_act", {})) is False


def test_a_call_that_is_closed_closes_its_handler() -> None:
    ended: list[str] = []

    async def handler(input: object) -> None:
        try:
            await asyncio.sleep(60)
        except GeneratorExit:
            ended.append("closed")
            raise

    async def main() -> None:
        call = bound(tool(), handler).call("demo_act", {})
        call.send(None)
        call.close()

    asyncio.run(main())
    assert ended == ["closed"]
