"""Invocation of user functions, in the event loop or a worker thread."""

from __future__ import annotations

import asyncio
import contextvars
import os
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.callables import context_place, kind_of, parameters_of

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.context import AnyContext

    _Job: TypeAlias = tuple[asyncio.Future[Any], Callable[[], object]]


_MAX_IDLE = 32
"""Maximum number of idle threads."""

_IDLE: list[Worker] = []
"""Idle threads, the most recently used last."""

if hasattr(os, "register_at_fork"):
    # A forked process has none of these threads: a job for one of them would never run.
    os.register_at_fork(after_in_child=_IDLE.clear)


class Worker(Thread):
    """A thread that runs one function after another."""

    def __init__(self) -> None:
        # The interpreter does not wait for daemon threads.
        super().__init__(name="toolspec-handler", daemon=True)
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self.start()

    def submit(self, future: asyncio.Future[Any], function: Callable[[], object]) -> None:
        """Run a function in the thread, and put its outcome into a future."""
        self._jobs.put((future, function))

    def run(self) -> None:
        """Run jobs until `_MAX_IDLE` other threads are idle."""
        while self._work():
            pass

    def _work(self) -> bool:
        future, function = self._jobs.get()
        result: object = None
        problem: BaseException | None = None
        try:
            result = function()
        except (KeyboardInterrupt, GeneratorExit, StopIteration) as raised:
            # These belong to the function; re-raised where the future is awaited they would end the
            # process or close the waiting coroutine, and a future cannot hold a StopIteration.
            problem = RuntimeError(f"{type(raised).__name__} was raised in a worker thread")
            problem.__cause__ = raised
        except BaseException as raised:  # noqa: BLE001 - re-raised where the future is awaited
            problem = raised
        # Added to the idle threads before the result is set, as the receiver may submit a job
        # immediately.
        is_kept = len(_IDLE) < _MAX_IDLE
        if is_kept:
            _IDLE.append(self)
        try:
            future.get_loop().call_soon_threadsafe(_settle, future, result, problem)
        except RuntimeError:  # the loop is closed, so nothing waits for the result
            with suppress(RuntimeError):
                future.cancel()
        return is_kept


def in_thread(function: Callable[..., object], *arguments: object) -> asyncio.Future[object]:
    """Return a future of the running loop for a function run in a worker thread.

    Context variables are copied. The function cannot be stopped: shield the future.
    """
    future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    try:
        worker = _IDLE.pop()
    except IndexError:
        worker = Worker()
    context = contextvars.copy_context()
    worker.submit(future, lambda: context.run(function, *arguments))
    return future


def _settle(future: asyncio.Future[object], result: object, problem: BaseException | None) -> None:
    if future.cancelled():
        return
    if problem is None:
        future.set_result(result)
    else:
        future.set_exception(problem)


def invocable(function: AnyCallable, before: int) -> AnyCallable:
    """Return a function of `before` arguments and a context, to be awaited or iterated.

    A plain function runs in a worker thread, since it may block. If it returns an awaitable
    (`return other(input)`), that is awaited in the event loop.
    """
    with_context = _with_context(function, before)
    if kind_of(function) == "plain":
        return _threaded(with_context)
    return with_context


def awaitable(function: AnyCallable) -> AnyCallable:
    """Return a function to be awaited; a plain function runs in a worker thread."""
    is_plain = kind_of(function) == "plain"

    async def called(*arguments: object) -> object:
        result = await in_thread(function, *arguments) if is_plain else function(*arguments)
        return await awaited(result)

    return called


def _with_context(function: AnyCallable, before: int) -> AnyCallable:
    match context_place(parameters_of(function), before):
        case "positional":
            return function
        case "keyword":
            return lambda *arguments: function(*arguments[:-1], ctx=arguments[-1])
        case _:
            return lambda *arguments: function(*arguments[:-1])


def _threaded(function: AnyCallable) -> AnyCallable:
    async def called(*arguments: object) -> object:
        import asyncio

        from toolspec.runtime.invocation import in_thread

        context: AnyContext = arguments[-1]  # type: ignore[assignment]  # always the last argument
        context._loop = asyncio.get_running_loop()  # noqa: SLF001 - for reports from the thread
        future = in_thread(_noting_its_end, function, arguments)
        try:
            result = await asyncio.shield(future)
        except asyncio.CancelledError:
            context._left = (*context._left, future)  # noqa: SLF001 - it still counts as running
            raise
        return await awaited(result)

    return called


def _noting_its_end(function: AnyCallable, arguments: tuple[object, ...]) -> object:
    try:
        return function(*arguments)
    finally:
        context: AnyContext = arguments[-1]  # type: ignore[assignment]  # always the last argument
        if context._is_cancelled:  # noqa: SLF001 - internal field of the runtime
            context.log.warning("its thread has ended after the call was over")
