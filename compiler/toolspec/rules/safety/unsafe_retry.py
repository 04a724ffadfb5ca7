"""An error is declared to be worth a retry, and the call is not safe to repeat."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, is_repeatable

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` lets callers retry after `{code}`, and a repeated call does its work twice",
    "add `idempotency: optional`, or say that it is idempotent",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first retryable error of a tool that must not be called twice."""
    tool = visit.tool
    if is_repeatable(tool):
        return
    for at, error in enumerate(tool.errors):
        if error.retryable:
            yield KIND.at(visit.at("errors", at, "retryable"), tool=tool.name, code=error.code)
            return
