"""The name of a tool is longer than the gateways of a provider accept."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "the name of `{tool}` has {length} characters; only {limit} are safe with {targets}",
    "shorten it, and keep the old name as an alias",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all targets whose advice a name exceeds."""
    over = {
        profile.name: limit
        for profile, lowered in visit.lowered_tools
        if (limit := profile.limits.name_length_advised) and len(lowered.name) > limit
    }
    if over:
        yield KIND.at(
            name_span(visit.tool),
            tool=visit.tool.name,
            length=len(visit.tool.names.full),
            limit=min(over.values()),
            targets=", ".join(over),
        )
