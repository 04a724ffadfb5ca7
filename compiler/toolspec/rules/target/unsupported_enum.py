"""A provider does not support an `enum`."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "an `enum` of `{tool}` is not enforced by {targets}, only described",
    "use strings, or a `minimum` and a `maximum`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("fit-enums"))
