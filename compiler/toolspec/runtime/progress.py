"""Progress of a call, and the listener that receives it."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    ProgressListener: TypeAlias = Callable[["Progress"], None]

_ASYNC = "`on_progress` is async and would not be awaited: give a plain function"


class Progress(Record):
    """Progress of a call; `value` is None until a number is reported."""

    value: float | None = None
    total: float | None = None
    message: str | None = None


def check_listener(listener: ProgressListener | None) -> None:
    """Raise TypeError for an async listener, since progress reports are not awaited."""
    if listener is None:
        return
    from toolspec.runtime.callables import kind_of

    if kind_of(listener) == "coroutine":
        raise TypeError(_ASYNC)


def report_to(listener: ProgressListener, progress: Progress) -> None:
    """Pass progress to a listener. Raises TypeError if the listener returns an awaitable."""
    answer: object = listener(progress)  # type: ignore[func-returns-value]  # it may return one
    if not hasattr(answer, "__await__"):
        return
    close = getattr(answer, "close", None)
    if close is not None:
        close()
    raise TypeError(_ASYNC)
