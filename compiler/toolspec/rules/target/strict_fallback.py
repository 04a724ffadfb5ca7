"""A tool is sent to a strict target without strictness."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is not strict for {targets}: {reason}",
    "{advice}",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield a diagnostic for each keyword that a tool's strict form does not support."""
    strict_refusals = (
        (profile, entry) for profile, sent in visit.lowered_tools for entry in sent.strict_refusals
    )
    yield from visit.refused(KIND, strict_refusals)
