"""A provider is told a limit in words only."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a limit of `{tool}` is not enforced by {targets}, only described",
    "nothing has to be done; the runtime checks it",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("note"))
