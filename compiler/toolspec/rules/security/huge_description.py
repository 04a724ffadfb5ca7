"""A tool's description is so long that it can only push other text out of a model's sight."""

from toolspec.rules.api import HUGE_DESCRIPTION, Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "the description of `{tool}` has {length} characters; more than {limit} are refused",
    "say in a few sentences what the tool does and when to use it",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic above the limit."""
    length = len(visit.tool.description)
    if length > HUGE_DESCRIPTION:
        span = visit.at("description")
        yield KIND.at(span, tool=visit.tool.name, length=length, limit=HUGE_DESCRIPTION)
