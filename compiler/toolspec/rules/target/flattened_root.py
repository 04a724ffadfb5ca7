"""A tool with several forms is sent with the parameters of all of them in one."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "the forms of `{tool}` are sent as one to {targets}",
    "make a tool of each form",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("flatten-root"))
