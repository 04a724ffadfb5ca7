"""Cancellation of a call that runs in its caller's task."""

from __future__ import annotations

import types

from toolspec.runtime.context import mark_cancelled, unmark_cancelled
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
    try:
        waiting = next(steps)
        while True:
            try:
                answer = yield waiting
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as problem:  # noqa: BLE001 - thrown into the work
                waiting = _thrown(steps, problem, context)
            else:
                waiting = steps.send(answer)
    except StopIteration as stop:
        result: T = stop.value
        return result


def _thrown(steps: Generator[Any, Any, T], problem: BaseException, context: AnyContext) -> Any:
    """Throw an exception into the work, and return what it awaits next. Raises as the work does."""
    if not is_passing(problem):
        return steps.throw(problem)
    mark_cancelled(context)
    try:
        return steps.throw(problem)
    finally:
        # That of a time limit inside the work has been taken back by now.
        if not isinstance(problem, KeyboardInterrupt) and not is_cancelling():
            unmark_cancelled(context)
