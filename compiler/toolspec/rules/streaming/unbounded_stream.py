"""A streaming tool has no time limit."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the stream of `{tool}` has no time limit",
    "add `timeout: {{idle: 30s}}` to the tool or the service",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a streaming tool without a limit of its own or of the service."""
    limits = visit.tool.timeout
    if visit.tool.streaming and limits.idle is None and limits.total is None:
        yield KIND.at(visit.at("streaming"), tool=visit.tool.name)
