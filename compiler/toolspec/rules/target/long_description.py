"""A description is longer than a provider or its gateways accept."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` has {length} characters as sent; only {limit} are safe with {targets}",
    "begin with what matters most, and move the rest to the parameters",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all targets whose limit or advice the description exceeds."""
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
