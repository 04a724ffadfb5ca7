"""The description of a tool is far too long."""

from toolspec.rules.api import HUGE_DESCRIPTION, Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "the description of `{tool}` has {length} characters, more than {limit}",
    "say in a few sentences what the tool does and when to use it",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic above the limit."""
    length = len(visit.tool.description)
    if length > HUGE_DESCRIPTION:
        span = visit.at("description")
        yield KIND.at(span, tool=visit.tool.name, length=length, limit=HUGE_DESCRIPTION)
