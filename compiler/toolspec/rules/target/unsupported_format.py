"""A provider does not support a `format`."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a `format` of `{tool}` is not enforced by {targets}, only described",
    "nothing to do; the runtime checks the formats of JSON Schema, unless `formats: annotate` is set",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield one diagnostic for all keywords of a tool that the step changed."""
    yield from visit.lost(KIND, visit.losses("filter-formats"))
