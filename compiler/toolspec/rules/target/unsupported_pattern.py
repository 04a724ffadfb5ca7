"""A provider cannot compile a pattern."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "a `pattern` of `{tool}` is not enforced by {targets}, only described",
    "write it without lookaround and backreference",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("filter-patterns"))
