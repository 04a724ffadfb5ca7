"""One background thread with an event loop, and the way into it for code that is not async."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future, wait
from contextlib import ExitStack, suppress
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from toolspec.runtime.awaiting import closed
from toolspec.runtime.client.executor import DaemonExecutor

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
    from typing import Any, Self

T = TypeVar("T")

_FAREWELL_SECONDS = 5.0
"""For how long whoever interrupts a call, or closes, waits for what is still to be done."""

_LOOK_SECONDS = 1.0
"""How often a wait looks up: a signal that comes just before it, or to another thread, ends none."""

_CLOSED = "this client has been closed"

_LEAST_SECONDS = 0.5
"""What each step of closing has in any case, when an interrupted call has used up that time."""


class Portal:
    """Runs the calls of sync clients; the thread starts with the first one and ends with `close`.

    Clients that share a connection share a portal: a connection belongs to one event loop.
    Complains (RuntimeError) of a call after `close`, and of one from the portal's own thread,
    where an approver or a listener runs: it would wait for itself.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closers: dict[int, Callable[[], Coroutine[Any, Any, object]]] = {}
        self._is_closed = False
        self._ends_at: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def adopt(self, transport: object) -> None:
        """Close a transport with the portal, where it can be closed (`aclose`).

        A registry has nothing to close: its afterResponse hooks are given time to end.
        """
        close = getattr(transport, "aclose", None) or getattr(transport, "settled", None)
        if close is not None:
            self._closers[id(transport)] = close

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return what the work does, done in the portal's thread.

        KeyboardInterrupt cancels the work, and is raised when that has ended or takes too long.
        """
        job = _Job(self._started(), work)
        try:
            job.start()
            return job.outcome()
        except BaseException:
            self._leave(job)
            raise

    def iterate(self, chunks: Callable[[], AsyncIterator[T]]) -> Iterator[T]:
        """Yield the items of an async iterator, which runs no further than what was asked for.

        Closing this iterator, and KeyboardInterrupt, cancel the other.
        """
        handed: SimpleQueue[tuple[T] | BaseException] = SimpleQueue()
        wanted = asyncio.Semaphore(0)
        loop = self._started()
        job = _Job(loop, lambda: _pump(chunks(), wanted, handed))
        try:
            job.start()
            while True:
                try:
                    loop.call_soon_threadsafe(wanted.release)
                except RuntimeError:
                    raise RuntimeError(_CLOSED) from None
                item = _handed_over(handed)
                if isinstance(item, StopAsyncIteration):
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item[0]
        finally:
            self._leave(job)

    def close(self) -> None:
        """Close the transports, then end the thread. May be called twice.

        What takes too long over it is left alone, in a thread that no process waits for.
        """
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
            self._is_closed = True
        if loop is None or thread is None:
            return
        ends_at = self._ends_at or time.monotonic() + _FAREWELL_SECONDS
        with ExitStack() as closing:  # one that fails keeps none of the others open
            closing.callback(lambda: thread.join(_seconds_to(ends_at)))
            closing.callback(loop.call_soon_threadsafe, loop.stop)
            for close in reversed(self._closers.values()):
                closing.callback(_close, loop, close, ends_at)

    def _leave(self, job: _Job[T]) -> None:
        """Cancel a job that has not ended; the time that it takes is no more there for `close`."""
        if not job.is_over:
            self._ends_at = time.monotonic() + _FAREWELL_SECONDS
            job.cancel(_FAREWELL_SECONDS)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._is_closed:
                raise RuntimeError(_CLOSED)
            self._ends_at = None
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._loop.set_default_executor(DaemonExecutor())
                target = self._loop
                self._thread = threading.Thread(
                    target=_serve, args=(target,), name="toolspec-client", daemon=True
                )
                self._thread.start()
            if threading.current_thread() is self._thread:
                problem = "a sync client was called from its own thread: use the async one there"
                raise RuntimeError(problem)
            return self._loop


def _close(
    loop: asyncio.AbstractEventLoop,
    close: Callable[[], Coroutine[Any, Any, object]],
    ends_at: float,
) -> None:
    job = _Job(loop, close)
    job.start()
    if wait((job.result,), _seconds_to(ends_at)).done:
        job.result.result()


def _seconds_to(moment: float) -> float:
    return max(moment - time.monotonic(), _LEAST_SECONDS)


class _Job(Generic[T]):
    """Work for another thread's loop.

    It is made before it is started, so that whoever is interrupted while it starts can cancel it.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, T]]
    ) -> None:
        self.result: Future[T] = Future()
        self._loop = loop
        self._work = work
        self._ended = threading.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Set the work on its way."""
        self._loop.call_soon_threadsafe(self._begin)

    @property
    def is_over(self) -> bool:
        """Whether the work has ended."""
        return self._ended.is_set()

    def outcome(self) -> T:
        """Return what the work returned, or raise what it raised, when it has ended."""
        while not self._ended.wait(_LOOK_SECONDS):
            pass
        return self.result.result()

    def cancel(self, seconds: float) -> None:
        """Cancel the work, and return when it has ended, or after so long."""
        self._loop.call_soon_threadsafe(self._stop)
        self._ended.wait(seconds)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._worked())
        self._task.add_done_callback(lambda _: self._ended.set())

    def _stop(self) -> None:
        if self._task is None:  # it was never set on its way
            self._ended.set()
        else:
            self._task.cancel()

    async def _worked(self) -> None:
        try:
            self.result.set_result(await self._work())
        except BaseException as problem:  # noqa: BLE001 - it belongs to the thread that waits
            self.result.set_exception(problem)


def _handed_over(handed: SimpleQueue[T]) -> T:
    while True:
        with suppress(Empty):
            return handed.get(timeout=_LOOK_SECONDS)


async def _pump(
    chunks: AsyncIterator[T],
    wanted: asyncio.Semaphore,
    handed: SimpleQueue[tuple[T] | BaseException],
) -> None:
    """Hand over one item for each that is wanted; the last thing handed over is an exception."""
    try:
        while True:
            await wanted.acquire()
            handed.put((await anext(chunks),))
    except BaseException as problem:  # noqa: BLE001 - it belongs to the thread that waits
        handed.put(problem)
    finally:
        await closed(chunks)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        asyncio.set_event_loop(None)
        loop.close()
