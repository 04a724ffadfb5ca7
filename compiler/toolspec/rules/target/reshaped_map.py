"""A map is sent as a list of pairs."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a map of `{tool}` is sent as a list of pairs to {targets}",
    "nothing has to be done where calls go through `registry.call_from`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("map-to-pairs"))
