"""A value of which one form is to hold may hold two for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Outcome, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a `oneOf` of `{tool}` is an `anyOf` to {targets}",
    "tell the forms apart by a member with a `const` of its own in each",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("one-of-to-any-of", fates={Outcome.WIDENED}))
