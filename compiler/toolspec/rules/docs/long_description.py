"""The description of a tool is longer than some providers accept."""

from toolspec.rules.api import HUGE_DESCRIPTION, Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` has {length} characters; some providers accept only {limit}",
    "begin with what distinguishes this tool, and move details to the parameters",
)
VISITS = ToolVisit
LIMIT = 1_024


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic above the limit, up to where `security/huge-description` takes over."""
    length = len(visit.tool.description)
    if LIMIT < length <= HUGE_DESCRIPTION:
        span = visit.at("description")
        yield KIND.at(span, tool=visit.tool.name, length=length, limit=LIMIT)
