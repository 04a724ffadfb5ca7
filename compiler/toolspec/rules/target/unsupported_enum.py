"""A provider takes no such list of values."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "an `enum` of `{tool}` is not enforced by {targets}, only described",
    "take texts, or a `minimum` and a `maximum`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("fit-enums"))
