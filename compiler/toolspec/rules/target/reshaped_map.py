"""A map becomes a list of pairs for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a map of `{tool}` becomes a list of pairs for {targets}",
    "nothing to do if calls go through `registry.call_from`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("map-to-pairs"))
