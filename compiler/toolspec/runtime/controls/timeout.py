"""Timeouts of a call: total and idle."""

from __future__ import annotations

import asyncio

from toolspec.runtime.context import mark_cancelled
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import is_passing
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine
    from typing import Any, TypeAlias, TypeVar

    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.controls.limits import Limits
    from toolspec.runtime.definition import ToolDefinition

    T = TypeVar("T")
    _Ended: TypeAlias = tuple[object, BaseException | None]

_UNFINISHED: set[asyncio.Task[Any]] = set()
"""Work that outlives its response, referenced here because the loop keeps only weak references."""


class Timeout(Record):
    """The total and idle timeouts of a tool, in seconds; either may be None."""

    idle: float | None
    total: float | None

    @staticmethod
    def of(tool: ToolDefinition, limits: Limits) -> Timeout | None:
        """Return the tool's timeouts, or the defaults from `limits`; None if there are none."""
        idle = limits.idle if tool.timeout_idle is None else tool.timeout_idle
        total = limits.total if tool.timeout_total is None else tool.timeout_total
        return None if idle is None and total is None else Timeout(idle=idle, total=total)

    async def run(self, context: AnyContext, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of `work`, or raise its exception.

        Raises ToolError `timeout`, code `idle_timeout` or `total_timeout`. The work is then
        cancelled without waiting for it: work that ignores cancellation goes on, and this is
        logged. If the caller is cancelled, the work is cancelled too and awaited within the
        remaining time.
        """
        watch = TimeoutWatch(self, context)
        watch.start(work)
        try:
            await watch.wait_for_wake()
        except asyncio.CancelledError:
            await watch.cancel()
            raise
        finally:
            watch.stop()
        return watch.result()  # type: ignore[return-value]  # the result of `work`

    async def run_stream(
        self, context: AnyContext, chunks: AsyncGenerator[T, None]
    ) -> AsyncGenerator[T, None]:
        """Yield the items of `chunks`, with the timeouts of `run`.

        One task produces all chunks on demand. While the consumer handles a chunk the idle timeout
        is paused; the total one is not.
        """
        watch = TimeoutWatch(self, context)
        handover = ChunkHandover(watch)
        watch.start(handover.produce(chunks))
        try:
            while await handover.next_chunk():
                yield handover.chunk  # type: ignore[misc]  # an item of `chunks`
        except (asyncio.CancelledError, GeneratorExit):
            await watch.cancel()
            raise
        finally:
            watch.stop()
        watch.result()


class TimeoutWatch:
    """Runs the work of one call in a separate task and enforces its timeouts.

    `with watch:` pauses the idle timeout, for example while the call waits for an approval.
    """

    __slots__ = (
        "_code",
        "_context",
        "_deadline",
        "_end",
        "_is_paused",
        "_last_activity",
        "_loop",
        "_task",
        "_timer",
        "_waiter",
        "_waiting",
    )

    _task: asyncio.Task[_Ended]

    def __init__(self, deadline: Timeout, context: AnyContext) -> None:
        self._deadline = deadline
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._last_activity = self._loop.time()
        self._end = None if deadline.total is None else self._last_activity + deadline.total
        self._timer: asyncio.TimerHandle | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._is_paused = False
        self._waiting = 0
        self._code = ""

    @property
    def is_over(self) -> bool:
        """Whether the work has ended or timed out."""
        return bool(self._code) or self._task.done()

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Start the work and its timers."""
        self._task = self._loop.create_task(_outcome_of(work))
        self._task.add_done_callback(lambda _: work.close())  # if cancelled before its start
        self._task.add_done_callback(lambda _: self.wake())
        self._context._watch = self  # noqa: SLF001 - internal field of the runtime
        self._arm()

    def touch(self) -> None:
        """Reset the idle timeout; any thread may, since reading the clock is all it needs."""
        self._last_activity = self._loop.time()

    def pause(self) -> None:
        """Pause the idle timeout until `resume`."""
        self._is_paused = True

    def resume(self) -> None:
        """Restart the idle timeout."""
        self._is_paused = False
        self.touch()
        self._arm()

    def __enter__(self) -> None:
        self._waiting += 1
        self.pause()

    def __exit__(self, *_: object) -> None:
        self._waiting -= 1
        if not self._waiting:
            self.resume()

    async def wait_for_wake(self) -> None:
        """Wait for the next `wake`, or until the work is over."""
        if self.is_over:
            return
        self._waiter = self._loop.create_future()
        await self._waiter

    def wake(self) -> None:
        """Wake the waiting task."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def cancel(self) -> None:
        """Cancel the work, and wait for its end within the remaining time.

        Errors from now on are logged, since the caller has its response.
        """
        mark_cancelled(self._context)
        self._task.cancel()
        self.resume()
        while not self.is_over:
            await self.wait_for_wake()
        if self._task.done() and not self._task.cancelled():
            _, problem = self._task.result()
            if problem is not None and getattr(problem, "category", "") != "cancelled":
                self._context.log.error("failed after it was cancelled", exc_info=problem)

    def stop(self) -> None:
        """Stop watching; unfinished work goes on in the background."""
        self._context._watch = None  # noqa: SLF001 - internal field of the runtime
        if self._timer is not None:
            self._timer.cancel()
        if not self._task.done():
            self._context._left = (*self._context._left, self._task)  # noqa: SLF001 - the same
            self._context.log.warning("was cancelled and still runs")
            _UNFINISHED.add(self._task)
            self._task.add_done_callback(self._ended_late)

    def result(self) -> object:
        """Return or raise the outcome of the work. Raises ToolError `timeout` when it is late."""
        if self._code:
            raise self._timeout()
        value, problem = self._task.result()
        if problem is not None:
            raise problem
        return value

    def _arm(self) -> None:
        """Set the timer; firing too early is harmless."""
        times = [] if self._end is None else [self._end]
        if self._deadline.idle is not None and not self._is_paused:
            times.append(self._last_activity + self._deadline.idle)
        if not times or (self._timer is not None and self._timer.when() <= min(times)):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(min(times), self._check)

    def _check(self) -> None:
        """Expire the timeouts that are due; activity since the timer was set restarts it."""
        self._timer = None
        now = self._loop.time()
        idle = self._deadline.idle
        if self._task.done():
            return
        if self._end is not None and now >= self._end:
            self._expire("total_timeout")
        elif idle is not None and not self._is_paused and now >= self._last_activity + idle:
            self._expire("idle_timeout")
        else:
            self._arm()

    def _expire(self, code: str) -> None:
        self._code = code
        mark_cancelled(self._context)
        self._task.cancel()
        self.wake()

    def _timeout(self) -> ToolError:
        name, deadline = self._context.tool, self._deadline
        if self._code == "total_timeout":
            seconds, reason = deadline.total, f"took longer than {deadline.total:g} s"
        else:
            seconds, reason = deadline.idle, f"reported no progress for {deadline.idle:g} s"
        return ToolError.timeout(
            f"`{name}` {reason}", code=self._code, details={"seconds": seconds}
        )

    def _ended_late(self, task: asyncio.Task[_Ended]) -> None:
        _UNFINISHED.discard(task)
        problem = None if task.cancelled() else task.exception() or task.result()[1]
        self._context.log.warning("ended after its response was sent", exc_info=problem)


class ChunkHandover:
    """Passes chunks one at a time from the producing task to the consumer."""

    __slots__ = ("_full", "_requested", "_watch", "chunk")

    def __init__(self, watch: TimeoutWatch) -> None:
        self._watch = watch
        self._requested = asyncio.Event()
        self._full = False
        self.chunk: object = None

    async def produce(self, chunks: AsyncGenerator[object, None]) -> None:
        """Run the source only as chunks are requested, and close it."""
        try:
            await self._requested.wait()
            async for chunk in chunks:
                self.chunk, self._full = chunk, True
                self._requested.clear()
                self._watch.pause()
                self._watch.wake()
                await self._requested.wait()
        finally:
            await chunks.aclose()

    async def next_chunk(self) -> bool:
        """Request the next chunk and store it in `chunk`; return whether there is one."""
        self._full = False
        self._watch.resume()
        self._requested.set()
        await self._watch.wait_for_wake()
        return self._full


async def _outcome_of(work: Coroutine[Any, Any, object]) -> _Ended:
    """Return the outcome of the work, since SystemExit raised in a task would end the loop."""
    try:
        return await work, None
    except BaseException as problem:
        if is_passing(problem):
            raise
        return None, problem  # raised by `result`
