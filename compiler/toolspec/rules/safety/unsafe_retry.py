"""A tool declares a retryable error, but a repeated call is not safe."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, is_repeatable

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` declares `{code}` as retryable, but a repeated call does the work twice",
    "add `idempotency: optional`, or declare the tool idempotent",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first retryable error of a tool that is not safe to repeat."""
    tool = visit.tool
    if is_repeatable(tool):
        return
    for at, error in enumerate(tool.errors):
        if error.retryable:
            yield KIND.at(visit.at("errors", at, "retryable"), tool=tool.name, code=error.code)
            return
