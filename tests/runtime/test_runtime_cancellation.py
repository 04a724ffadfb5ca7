from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from example_service import bound, streaming, tool
from toolspec.runtime import Call, Limits, Registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

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


async def times_out() -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(0.001):
            await asyncio.sleep(60)


async def fails_in_a_group() -> None:
    async def fails() -> None:
        raise LookupError

    with suppress(ExceptionGroup):
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
            await asyncio.sleep(60)


async def noted(step: Callable[[], Awaitable[None]], ctx: Any) -> str:
    """Return what the event says after the step, to the handler and to a task that waits for it."""
    watcher = asyncio.create_task(ctx.cancelled.wait())
    await asyncio.sleep(0)
    await step()
    at_once = ctx.cancelled.is_set()
    for _ in range(3):
        await asyncio.sleep(0)
    known = [at_once, ctx.cancelled.is_set(), watcher.done()]
    watcher.cancel()
    return repr(known)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("form", ["call", "staged", "stream"])
@pytest.mark.parametrize("step", [times_out, fails_in_a_group])
def test_what_a_handler_cancels_in_itself_releases_nobody(
    step: Callable[[], Awaitable[None]], form: str, limits: Limits | None
) -> None:
    async def act(input: object, ctx: Any) -> str:
        return await noted(step, ctx)

    async def tell(input: object, ctx: Any) -> AsyncIterator[str]:
        yield await noted(step, ctx)

    async def before(call: Call) -> None: ...

    is_streaming = form == "stream"
    registry = bound(streaming(), tell) if is_streaming else bound(tool(), act)
    registry = limited(registry, limits)
    if form == "staged":
        registry = registry.with_hooks(before=[before])

    async def main() -> list[object]:
        if is_streaming:
            return [chunk async for chunk in registry.stream("demo_tell", {})]
        return [await registry.call("demo_act", {})]

    assert asyncio.run(main()) == [repr([False] * 3)]


def test_the_event_is_set_while_a_limit_of_the_handler_awaits_its_end() -> None:
    async def act(input: object, ctx: Any) -> list[bool]:
        known = []
        with suppress(TimeoutError):
            async with asyncio.timeout(0.001):
                try:
                    await asyncio.sleep(60)
                finally:
                    known.append(ctx.cancelled.is_set())
                    await asyncio.sleep(0)
                    known.append(ctx.cancelled.is_set())
        known.append(ctx.cancelled.is_set())
        await asyncio.sleep(0)
        return [*known, ctx.cancelled.is_set()]

    registry = bound(tool(), act)
    assert asyncio.run(registry.call("demo_act", {})) == [True, True, True, False]


@pytest.mark.parametrize("limits", LIMITS)
def test_a_cancellation_after_a_limit_of_the_handler_is_told(limits: Limits | None) -> None:
    async def main() -> list[object]:
        handler = Handler()
        released: list[bool] = []

        async def watch(ctx: Any) -> None:
            released.append(await ctx.cancelled.wait())

        async def act(input: object, ctx: Any) -> None:
            watcher = asyncio.create_task(watch(ctx))
            await times_out()
            try:
                await handler.act(input, ctx)
            finally:
                await watcher
                handler.known += [*released, ctx.cancelled.is_set()]

        registry = limited(bound(tool(), act), limits)
        return await cancelled(handler, lambda: registry.call("demo_act", {}))

    assert asyncio.run(main()) == [True, True, True]
