"""A parameter's name is not legal for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "a parameter of `{tool}` has a name that {targets} would refuse",
    "rename it; until then calls have to go through `registry.call_from`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("rename-keys"))
