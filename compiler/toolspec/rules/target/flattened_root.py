"""The alternatives of a tool are merged for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "the alternatives of `{tool}` are merged for {targets}",
    "make each alternative a tool",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("flatten-root"))
