"""A background thread with an event loop that runs async calls for synchronous code."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from typing import Generic, ParamSpec, TypeVar

from toolspec.runtime.awaiting import closed

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
    from typing import Any, Self


P = ParamSpec("P")
T = TypeVar("T")

_MOST = 32
"""Maximum number of threads; further work is queued, as in every asyncio loop."""


class DaemonExecutor(ThreadPoolExecutor):
    """A ThreadPoolExecutor of daemon threads; the base class keeps the interpreter alive."""

    def __init__(self) -> None:
        super().__init__(_MOST)
        self._given: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._free = Semaphore(0)
        self._daemons: list[Thread] = []

    def submit(self, function: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        """Return the future of a function run in one of the threads."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(function(*args, **named))
            except BaseException as problem:  # noqa: BLE001 - re-raised in the waiting thread
                future.set_exception(problem)

        self._given.put(work)
        if not self._free.acquire(blocking=False) and len(self._daemons) < _MOST:
            self._daemons.append(Thread(target=self._serve, daemon=True))
            self._daemons[-1].start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End each thread after its current work; with `wait`, block until they have ended."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)
        for _ in self._daemons:
            self._given.put(None)
        if wait:
            for thread in self._daemons:
                thread.join()

    def _serve(self) -> None:
        while (work := self._given.get()) is not None:
            work()
            self._free.release()


_FAREWELL_SECONDS = 5.0
"""Seconds that an interrupted call or `close` waits for unfinished work."""

_LOOK_SECONDS = 1.0
"""Polling interval of a wait: a signal just before it, or in another thread, does not wake it."""

_CLOSED = "this client has been closed"

_LEAST_SECONDS = 0.5
"""Minimum seconds for each step of closing after an interrupted call has used up the time."""


class Portal:
    """Runs the calls of sync clients in a thread that starts with the first call.

    `close` ends the thread. Clients that share a connection share a portal, because a connection
    belongs to one event loop. Raises RuntimeError for a call after `close`, and for a call from the
    portal's own thread (in an approver or a listener), which would wait for itself.
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
        """Close the transport together with the portal if it has `aclose`.

        A registry has nothing to close, but its afterResponse hooks get time to finish.
        """
        close = getattr(transport, "aclose", None) or getattr(transport, "settled", None)
        if close is not None:
            self._closers[id(transport)] = close

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the coroutine, run in the portal's thread.

        KeyboardInterrupt cancels the coroutine and is raised once it has ended or takes too long.
        """
        job = _Job(self._started(), work)
        try:
            job.start()
            return job.outcome()
        except BaseException:
            self._leave(job)
            raise

    def iterate(self, chunks: Callable[[], AsyncIterator[T]]) -> Iterator[T]:
        """Yield the items of an async iterator, which runs only as items are requested.

        Closing this iterator, or KeyboardInterrupt, cancels the async iterator.
        """
        handed: SimpleQueue[tuple[T] | BaseException] = SimpleQueue()
        requests = asyncio.Semaphore(0)
        loop = self._started()
        job = _Job(loop, lambda: _pump(chunks(), requests, handed))
        try:
            job.start()
            while True:
                try:
                    loop.call_soon_threadsafe(requests.release)
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

        Work that takes too long is abandoned in a daemon thread.
        """
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
            self._is_closed = True
        if loop is None or thread is None:
            return
        ends_at = self._ends_at or time.monotonic() + _FAREWELL_SECONDS
        with ExitStack() as closing:  # an error while closing one does not leave the others open
            closing.callback(lambda: thread.join(_seconds_to(ends_at)))
            closing.callback(loop.call_soon_threadsafe, loop.stop)
            for close in reversed(self._closers.values()):
                closing.callback(_close, loop, close, ends_at)

    def _leave(self, job: _Job[T]) -> None:
        """Cancel a job that has not ended; the time spent is deducted from that of `close`."""
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
    """A coroutine to run in another thread's loop.

    Created before it is started, so that an interrupt while it starts can still cancel it.
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
        """Schedule the coroutine."""
        self._loop.call_soon_threadsafe(self._begin)

    @property
    def is_over(self) -> bool:
        return self._ended.is_set()

    def outcome(self) -> T:
        """Return the result of the coroutine, or raise its exception, once it has ended."""
        while not self._ended.wait(_LOOK_SECONDS):
            pass
        return self.result.result()

    def cancel(self, seconds: float) -> None:
        """Cancel the coroutine and wait until it has ended, at most for `seconds`."""
        self._loop.call_soon_threadsafe(self._stop)
        self._ended.wait(seconds)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._worked())
        self._task.add_done_callback(lambda _: self._ended.set())

    def _stop(self) -> None:
        if self._task is None:  # it was never scheduled
            self._ended.set()
        else:
            self._task.cancel()

    async def _worked(self) -> None:
        try:
            self.result.set_result(await self._work())
        except BaseException as problem:  # noqa: BLE001 - re-raised in the waiting thread
            self.result.set_exception(problem)


def _handed_over(handed: SimpleQueue[T]) -> T:
    while True:
        with suppress(Empty):
            return handed.get(timeout=_LOOK_SECONDS)


async def _pump(
    chunks: AsyncIterator[T],
    requests: asyncio.Semaphore,
    handed: SimpleQueue[tuple[T] | BaseException],
) -> None:
    """Put one item into the queue for each permit, and finally an exception."""
    try:
        while True:
            await requests.acquire()
            handed.put((await anext(chunks),))
    except BaseException as problem:  # noqa: BLE001 - re-raised in the waiting thread
        handed.put(problem)
    finally:
        await closed(chunks)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        remaining = asyncio.all_tasks(loop)
        for task in remaining:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*remaining, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        asyncio.set_event_loop(None)
        loop.close()
