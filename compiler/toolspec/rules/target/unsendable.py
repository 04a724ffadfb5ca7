"""A tool cannot be sent to a provider in any form."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "`{tool}` cannot be sent to {targets}: {reason}",
    "{advice}, or allow this and do without the tool there",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield a diagnostic for each keyword that a tool cannot be sent with."""
    refused = ((profile, each) for profile, sent in visit.lowered_tools for each in sent.refusals)
    yield from visit.refused(KIND, refused)
