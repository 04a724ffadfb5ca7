"""A list whose places have types of their own is sent as one of any of them."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Outcome, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a tuple of `{tool}` is sent as a list of any of its forms to {targets}",
    "use an object with named members",
)
VISITS = LoweredVisit
_LOST = (Outcome.WIDENED, Outcome.NARROWED)


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("widen-tuple", fates=_LOST))
