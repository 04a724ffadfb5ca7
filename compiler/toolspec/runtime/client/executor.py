"""Daemon threads for `asyncio.to_thread` in a portal's loop, so a hung call cannot block exit."""

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
"""Maximum number of threads; further work is queued, as in every asyncio loop."""


class DaemonExecutor(ThreadPoolExecutor):
    """A ThreadPoolExecutor of daemon threads; the base class keeps the interpreter alive."""

    def __init__(self) -> None:
        super().__init__(_MOST)
        self._given: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._free = Semaphore(0)
        self._daemons: list[Thread] = []

    def submit(self, function: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> Future[T]:
        """Return the future of a function run in one of the threads."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(function(*given, **named))
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
