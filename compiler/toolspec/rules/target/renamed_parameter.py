"""A parameter is renamed for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "{targets} would reject the name of a parameter of `{tool}`, which is renamed",
    "rename it; until then, call through `registry.call_from`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("rename-keys"))
