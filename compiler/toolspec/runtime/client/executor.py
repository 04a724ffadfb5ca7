"""The threads behind `asyncio.to_thread` in a portal's loop: no program waits for one that hangs."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import ParamSpec, TypeVar

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

_MOST = 32
"""Threads at once; work beyond so much waits for one of them, as in every loop of asyncio."""


class DaemonExecutor(ThreadPoolExecutor):
    """As its base, whose threads keep the interpreter from ending, and cannot be told otherwise."""

    def __init__(self) -> None:
        super().__init__(_MOST)
        self._given: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._free = Semaphore(0)
        self._daemons: list[Thread] = []

    def submit(self, function: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> Future[T]:
        """Return the future of what a function does in one of the threads."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(function(*given, **named))
            except BaseException as problem:  # noqa: BLE001 - it belongs to the one who waits
                future.set_exception(problem)

        self._given.put(work)
        if not self._free.acquire(blocking=False) and len(self._daemons) < _MOST:
            self._daemons.append(Thread(target=self._serve, daemon=True))
            self._daemons[-1].start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads, each after its work, and wait for that where it is wanted."""
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
