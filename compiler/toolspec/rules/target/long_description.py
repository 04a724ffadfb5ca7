"""A description is longer than a provider takes, or some of its gateways take."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` has {length} characters as it is sent, more than the {limit} that are safe with {targets}",
    "put first what decides, and move the rest to the parameters",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all targets whose limit or advice the author's text exceeds."""
    over = {
        profile.name: limit
        for profile, _ in visit.lowered_tools
        if (limit := profile.limits.description_length or profile.limits.description_length_advised)
        and len(visit.tool.description) > limit
    }
    if over:
        yield KIND.at(
            visit.at("description"),
            tool=visit.tool.name,
            length=len(visit.tool.description),
            limit=min(over.values()),
            targets=", ".join(over),
        )
