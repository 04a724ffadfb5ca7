"""A tool has no strict form, and is sent to a strict target without one."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is not sent strictly to {targets}: {reason}",
    "{advice}",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield a diagnostic for each keyword that stands in the way of a tool's strict form."""
    fallen = ((profile, each) for profile, sent in visit.lowered_tools for each in sent.fallen)
    yield from visit.refused(KIND, fallen)
