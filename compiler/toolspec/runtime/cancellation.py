"""Cancellation of a call that runs in its caller's task."""

from __future__ import annotations

import types

from toolspec.runtime.context import mark_cancelled, mark_unwinding, unmark_cancelled
from toolspec.runtime.failure import is_cancelling, is_passing

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Generator
    from typing import Any, TypeVar

    from toolspec.runtime.context import AnyContext

    T = TypeVar("T")


@types.coroutine
def cancellable(work: Awaitable[T], context: AnyContext) -> Generator[Any, Any, T]:
    """Return the result of `work`, and mark the call as cancelled before the work is.

    A task throws its cancellation into the innermost `await`, so any other code of the pipeline
    would see it only after the handler has unwound. This passes it on by hand.
    """
    steps = work.__await__()
    is_thrown = False  # whether a cancellation has been thrown into the work
    try:
        waiting = next(steps)
        while True:
            try:
                answer = yield waiting
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as problem:  # noqa: BLE001 - thrown into the work
                is_thrown = is_thrown or is_passing(problem)
                waiting = _throw(steps, problem, context) if is_thrown else steps.throw(problem)
            else:
                waiting = _send(steps, answer, context) if is_thrown else steps.send(answer)
    except StopIteration as stop:
        result: T = stop.value
        return result


def _throw(steps: Generator[Any, Any, T], problem: BaseException, context: AnyContext) -> Any:
    """Throw an exception into the work, and return what it awaits next. Raises as the work does."""
    if isinstance(problem, KeyboardInterrupt):
        mark_cancelled(context)
        return steps.throw(problem)
    if is_passing(problem):
        mark_unwinding(context, is_unwinding=True)
    try:
        return steps.throw(problem)
    finally:
        mark_unwinding(context, is_unwinding=False)
        if is_cancelling():
            mark_cancelled(context)
        else:
            unmark_cancelled(context)


def _send(steps: Generator[Any, Any, T], answer: object, context: AnyContext) -> Any:
    """Send an answer to work that a cancellation has been thrown into, and return what it awaits next.

    A time limit or a TaskGroup inside the work cancels the same task, and takes that back once its
    block has unwound: in the step that throws, or here if the block awaits something meanwhile.
    """
    try:
        return steps.send(answer)
    finally:
        if context._is_cancelled and not is_cancelling():  # noqa: SLF001 - internal field of the runtime
            unmark_cancelled(context)
