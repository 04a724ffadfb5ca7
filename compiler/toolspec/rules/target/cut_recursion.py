"""A recursive schema is cut off for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "{targets} cannot express the recursive schema of `{tool}`, which is cut off",
    "use a flat list whose items name their parents",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("cut-recursion"))
