"""A `oneOf` becomes `anyOf` for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Outcome, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a `oneOf` of `{tool}` becomes `anyOf` for {targets}",
    "distinguish the alternatives by a member with a different `const` in each",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("one-of-to-any-of", outcomes={Outcome.WIDENED}))
