"""A provider does not support a `pattern`."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "a `pattern` of `{tool}` is not enforced by {targets}, only described",
    "write it without lookarounds and backreferences",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("filter-patterns"))
