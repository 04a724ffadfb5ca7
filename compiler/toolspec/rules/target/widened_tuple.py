"""A tuple becomes a list for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Outcome, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a tuple of `{tool}` becomes a list of any of its items for {targets}",
    "use an object with named members",
)
VISITS = LoweredVisit
_LOST = (Outcome.WIDENED, Outcome.NARROWED)


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("widen-tuple", outcomes=_LOST))
