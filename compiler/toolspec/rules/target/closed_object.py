"""An object that takes other members is sent as one that does not."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Outcome, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` takes other members, and cannot be sent any by {targets}",
    "say `additionalProperties: false` if none are meant",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("close-objects", fates={Outcome.NARROWED}))
