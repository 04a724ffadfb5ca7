"""Undoing of a step whose caller was cancelled while it ran."""

from __future__ import annotations

import asyncio

from toolspec.runtime.failure import LoggedFailure, is_passing

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeVar

    from toolspec.runtime.context import AnyContext

    T = TypeVar("T")


async def run_or_undo(
    context: AnyContext,
    step: Coroutine[Any, Any, T],
    undo: Callable[[T], Coroutine[Any, Any, None]],
) -> T:
    """Return the result of a step; undo the step if its caller is cancelled.

    The step runs to its end and is then undone, even if cancelled repeatedly: a store's thread does
    not stop, and its write would otherwise remain for a call that never ran.
    """
    running = asyncio.ensure_future(step)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError as problem:
        if not is_passing(problem):  # raised by the step, so there is nothing to undo
            raise
        undoing = asyncio.create_task(_undone(context, running, undo))
        if context._plan is not None:  # noqa: SLF001 - internal field of the runtime
            context._plan.adopt(undoing)  # noqa: SLF001 - the same
        await asyncio.shield(undoing)
        raise


async def _undone(
    context: AnyContext,
    running: asyncio.Future[T],
    undo: Callable[[T], Coroutine[Any, Any, None]],
) -> None:
    message = "was cancelled, and the step in progress could not be undone"
    with LoggedFailure(context, message):
        await undo(await running)
