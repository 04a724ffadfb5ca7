"""Threads in which a store works, so that a blocked event loop ends no lease."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from concurrent.futures import Future

from toolspec.runtime.errors import ToolError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


class Threads:
    """Runs jobs in `count` threads, and `tick` in one of them every `tick_seconds`.

    Event loops of several threads may share one. `disconnect` runs in each thread that ends.
    `forked` runs before the first job of a forked process.
    """

    __slots__ = (
        "_count",
        "_disconnect",
        "_due",
        "_forked",
        "_jobs",
        "_lock",
        "_process",
        "_threads",
        "_tick",
        "pause",
    )

    def __init__(
        self,
        count: int,
        *,
        tick: Callable[[], None],
        tick_seconds: float,
        disconnect: Callable[[], None],
        forked: Callable[[], None],
    ) -> None:
        self._count = count
        self._tick = tick
        self.pause = tick_seconds
        self._disconnect = disconnect
        self._forked = forked
        self._process = os.getpid()
        self._due = 0.0
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    async def run(self, job: Callable[[], T]) -> T:
        """Return the result of a job, which runs to its end even if the caller stops waiting."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # a cancelled caller stops no job

        def work() -> None:
            try:
                future.set_result(job())
            except UnicodeEncodeError as problem:  # a lone surrogate
                future.set_exception(unstorable(problem.reason))
            except Exception as problem:  # noqa: BLE001 - re-raised in the caller
                future.set_exception(problem)

        with self._lock:
            if self._process != os.getpid():
                self._process = os.getpid()
                self._forked()
            if not any(thread.is_alive() for thread in self._threads):  # also after a fork
                self._jobs = queue.SimpleQueue()
                self._due = time.monotonic() + self.pause
                self._threads = [
                    threading.Thread(target=self._serve, args=(self._jobs,), daemon=True)
                    for _ in range(self._count)
                ]
                for thread in self._threads:
                    thread.start()
            self._jobs.put(work)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Finish pending jobs and end the threads; a later job starts them again."""
        with self._lock:
            threads, self._threads = self._threads, []
            for _ in threads:
                self._jobs.put(None)
            for thread in threads:
                if thread.is_alive():
                    thread.join()

    def _serve(self, jobs: queue.SimpleQueue[Callable[[], None] | None]) -> None:
        while True:
            try:
                work = jobs.get(timeout=max(0.001, self._due - time.monotonic()))
            except queue.Empty:
                work = self._tick_if_due
            if work is None:
                self._disconnect()
                return
            work()
            self._tick_if_due()

    def _tick_if_due(self) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + self.pause
        try:
            self._tick()
        except ToolError as problem:
            import logging

            logging.getLogger("toolspec").warning("%s", problem)


def unstorable(reason: object) -> ToolError:
    """Return the error of a text that the store can never keep, as of a caller or a request id."""
    message = f"a text of the call cannot be stored: {reason}"
    return ToolError.validation(message, code="invalid_text")


NO_CONNECTION = "no connection was free in time"


def unusable(reason: object) -> ToolError:
    """Return the error of a failed operation."""
    message = f"the store of calls is not usable: {reason}"
    return ToolError.unavailable(message, code="store_unavailable")
