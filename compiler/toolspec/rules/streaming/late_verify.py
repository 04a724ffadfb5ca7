"""The result of a stream is verified when it has been sent already."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` streams its result, and verifies it when it has been sent",
    "check each chunk in the handler, or do not stream",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a streaming tool with `verify`."""
    if visit.tool.streaming and visit.tool.verify:
        yield KIND.at(visit.at("verify"), tool=visit.tool.name)
