"""From whatever went wrong in a call to the one error that its caller gets."""

from __future__ import annotations

from toolspec.runtime.errors import ToolError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext

HOOK_FAILURES = (Exception, SystemExit)
"""What a hook's mistake can be: `sys.exit` in one ends neither the call nor the server."""


def answer_to(problem: BaseException, tool: ToolDefinition, context: AnyContext) -> ToolError:
    """Return the error to raise for a problem, with the request id.

    What is no ToolError is logged with its traceback and answered as `internal`, without its text:
    that may hold paths, queries, or secrets.
    """
    if isinstance(problem, ToolError):
        return problem.sent(context.request_id, _retryable(problem, tool))
    context.log.error("failed unexpectedly", exc_info=problem)
    message = f"`{tool.full_name}` failed; the service's log says why, under this request"
    return ToolError.internal(message).sent(context.request_id, retryable=False)


def _retryable(error: ToolError, tool: ToolDefinition) -> bool:
    if error.category == "output":
        return False
    if error.retryable_stated:
        return error.retryable
    for code, _, retryable in tool.errors:
        if code == error.code:
            return retryable
    if error.category == "timeout":
        # Whether the effect happened is unknown: a repeat is safe only where doing it twice is.
        # A key is no help there: a repeat under it is refused (decision 0009).
        return tool.read_only or tool.idempotent
    return error.retryable
