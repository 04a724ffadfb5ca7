"""Threads for handlers that may block: one for each call under way, used again, never waited for.

How many there are is up to the gates of the services: a call keeps its place until its thread has
ended. So no call waits behind one that hangs, and no process that is done waits for it either.
"""

from __future__ import annotations

import asyncio
import contextvars
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    _Job: TypeAlias = tuple[asyncio.Future[Any], Callable[[], object]]

_KEPT = 32
"""Idle threads beyond so many end."""

_IDLE: list[Worker] = []
"""Those without work, the one that had some last at the end."""


class Worker(Thread):
    """A thread that runs one function after another."""

    def __init__(self) -> None:
        # The interpreter ends without waiting for daemons.
        super().__init__(name="toolspec-handler", daemon=True)
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self.start()

    def give(self, future: asyncio.Future[Any], function: Callable[[], object]) -> None:
        """Let it run a function, and put what that returns or raises into a future."""
        self._jobs.put((future, function))

    def run(self) -> None:
        """Work until there are enough idle threads without this one."""
        while self._work():
            pass

    def _work(self) -> bool:
        future, function = self._jobs.get()
        result: object = None
        problem: BaseException | None = None
        try:
            result = function()
        except (KeyboardInterrupt, GeneratorExit) as raised:
            # In a thread they are the function's own; where a future is awaited they would end the
            # process, or close whoever waits.
            problem = RuntimeError(f"{type(raised).__name__} was raised in a worker thread")
            problem.__cause__ = raised
        except BaseException as raised:  # noqa: BLE001 - raised again where the future is awaited
            problem = raised
        # Idle before the answer is out: whoever has got it may give the next job at once.
        stays = len(_IDLE) < _KEPT
        if stays:
            _IDLE.append(self)
        try:
            future.get_loop().call_soon_threadsafe(_settle, future, result, problem)
        except RuntimeError:  # the loop is closed: nobody waits any more, and the work has ended
            with suppress(RuntimeError):
                future.cancel()
        return stays


def in_thread(function: Callable[..., object], *given: object) -> asyncio.Future[object]:
    """Return a future of the running loop for what a function does in a thread of its own.

    Context variables are those of here. Nothing can stop the function: shield the future.
    """
    future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    try:
        worker = _IDLE.pop()
    except IndexError:
        worker = Worker()
    context = contextvars.copy_context()
    worker.give(future, lambda: context.run(function, *given))
    return future


def _settle(future: asyncio.Future[object], result: object, problem: BaseException | None) -> None:
    if future.cancelled():
        return
    if problem is None:
        future.set_result(result)
    else:
        future.set_exception(problem)
