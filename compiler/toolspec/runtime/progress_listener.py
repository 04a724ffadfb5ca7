"""Progress listeners: plain functions whose errors do not affect the call."""

from __future__ import annotations

from toolspec.runtime.failure import LoggedFailure

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.context import Progress, ProgressListener
    from toolspec.runtime.hooks import AnyContext

_ASYNC = "`on_progress` is async, and nobody would await it: give a plain function"


def check_listener(listener: ProgressListener | None) -> None:
    """Raise TypeError for an async listener, since progress reports are not awaited."""
    if listener is None:
        return
    from toolspec.runtime.callables import kind_of

    if kind_of(listener) == "coroutine":
        raise TypeError(_ASYNC)


def report_to(context: AnyContext, report: Progress) -> None:
    """Pass a report to the call's listener; errors are logged and the call goes on."""
    listener = context._listener  # noqa: SLF001 - internal field of the runtime
    if listener is None:  # the call has ended meanwhile
        return
    with LoggedFailure(context, "the listener for progress failed"):
        _refuse_awaitable(listener(report))


def _refuse_awaitable(answer: object) -> None:
    if not hasattr(answer, "__await__"):
        return
    close = getattr(answer, "close", None)
    if close is not None:
        close()
    raise TypeError(_ASYNC)
