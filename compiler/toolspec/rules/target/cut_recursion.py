"""A schema that holds itself is cut off for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "a recursive schema of `{tool}` is cut off for {targets}",
    "take a flat list whose entries name their parents",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("cut-recursion"))
