"""Conversion of exceptions of user code into the ToolError of the call."""

from __future__ import annotations

from toolspec.runtime.errors import ToolError
from toolspec.shared.error_categories import CATEGORIES

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext


def is_passing(problem: BaseException) -> bool:
    """Return whether an exception belongs to the process or the waiting task, not to user code.

    That is KeyboardInterrupt, a CancelledError in a task that was cancelled, and the GeneratorExit
    of the coroutine being closed. Every other exception of a handler, hook or approver is its
    failure and ends neither the server nor other calls, including SystemExit and the CancelledError
    of another task. Call this where the exception is caught.
    """
    if isinstance(problem, (Exception, KeyboardInterrupt)):
        return isinstance(problem, KeyboardInterrupt)
    if isinstance(problem, GeneratorExit):
        # Closing raises a new one in every frame, from the innermost outwards.
        trace = problem.__traceback__
        return trace is None or trace.tb_next is None
    import asyncio

    if not isinstance(problem, asyncio.CancelledError):
        return False
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class LoggedFailure:
    """Logs and suppresses exceptions of a block: `with LoggedFailure(context, "a hook failed"):`."""

    __slots__ = ("_complaint", "_context")

    def __init__(self, context: AnyContext, complaint: str) -> None:
        self._context = context
        self._complaint = complaint

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, problem: BaseException | None, __: object) -> bool:
        if problem is None or is_passing(problem):
            return False
        self._context.log.error(self._complaint, exc_info=problem)
        return True


async def run_all(
    steps: Iterable[Callable[..., Awaitable[object]]],
    given: tuple[object, ...],
    context: AnyContext,
    complaint: str,
) -> None:
    """Run all steps in order; a failure is logged and does not stop the others.

    Cancellation does not stop them either: it is raised after all have run.
    """
    passing: BaseException | None = None
    for step in steps:
        try:
            with LoggedFailure(context, complaint):
                await step(*given)
        except BaseException as problem:  # noqa: BLE001 - re-raised below
            passing = problem
    if passing is not None:
        raise passing


def answer_to(problem: BaseException, tool: ToolDefinition, context: AnyContext) -> ToolError:
    """Return the error to raise for an exception, with the request id.

    Exceptions other than ToolError are logged with their traceback and become `internal` without
    their text, which may contain paths, queries, or secrets.
    """
    if isinstance(problem, ToolError):
        return problem.sent(context.request_id, _retryable(problem, tool))
    context.log.error("failed unexpectedly", exc_info=problem)
    message = f"`{tool.full_name}` failed; the service's log says why, under this request"
    return ToolError.internal(message).sent(context.request_id, retryable=False)


def report_unlisted(
    error: ToolError, tool: ToolDefinition, context: AnyContext, reported: set[tuple[str, str]]
) -> None:
    """Log an error code that user code raised and the tool does not declare, once per tool.

    Codes that are categories, and those of the runtime, need no declaration.
    """
    key = (tool.full_name, error.code)
    if error.code in _UNLISTED or key in reported or len(reported) >= _MOST_REPORTED:
        return
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    raised_in = trace.tb_frame.f_globals.get("__name__", "") if trace is not None else "toolspec"
    is_ours = raised_in.partition(".")[0] == "toolspec"
    if is_ours or any(code == error.code for code, _, _ in tool.errors):
        return
    reported.add(key)
    context.log.warning("raised the error code `%s`, which its `errors` does not list", error.code)


_UNLISTED = frozenset({*CATEGORIES, "not_implemented"})
_MOST_REPORTED = 1_000


def _retryable(error: ToolError, tool: ToolDefinition) -> bool:
    if error.category == "output":
        return False
    if error.retryable_stated:
        return error.retryable
    for code, _, retryable in tool.errors:
        if code == error.code:
            return retryable
    if error.category == "timeout":
        # Whether the effect happened is unknown, so a retry is safe only for repeatable tools.
        # An idempotency key does not help: a retry under it is refused (decision 0009).
        return tool.read_only or tool.idempotent
    return error.retryable
