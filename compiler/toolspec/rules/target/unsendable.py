"""A provider cannot accept a tool in any form."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "`{tool}` cannot be sent to {targets}: {reason}",
    "{advice}, or suppress the error to omit the tool",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield a diagnostic for each keyword that prevents sending a tool."""
    refused = (
        (profile, refusal) for profile, sent in visit.lowered_tools for refusal in sent.refusals
    )
    yield from visit.refused(KIND, refused)
