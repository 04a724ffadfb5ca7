"""A tool's description is longer than a provider takes."""

from toolspec.rules.api import HUGE_DESCRIPTION, Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` has {length} characters, more than the {limit} every provider takes",
    "put first what decides between this tool and another, and move the rest to the parameters",
)
VISITS = ToolVisit
LIMIT = 1_024


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic above the limit, up to where `security/huge-description` takes over."""
    length = len(visit.tool.description)
    if LIMIT < length <= HUGE_DESCRIPTION:
        span = visit.at("description")
        yield KIND.at(span, tool=visit.tool.name, length=length, limit=LIMIT)
