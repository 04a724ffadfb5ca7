"""A streaming tool has `verify`."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` verifies its result only after streaming it",
    "check each chunk in the handler, or do not stream",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a streaming tool with `verify`."""
    if visit.tool.streaming and visit.tool.verify:
        yield KIND.at(visit.at("verify"), tool=visit.tool.name)
