"""An open object is closed for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Outcome, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` accepts further members, but {targets} cannot send any",
    "set `additionalProperties: false` if none are intended",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("close-objects", outcomes={Outcome.NARROWED}))
