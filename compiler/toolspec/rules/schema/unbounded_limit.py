"""A parameter limits the result, but has no maximum."""

from toolspec.rules.api import SIZES, Diagnostics, SchemaVisit, Severity, declare, stated_bounds

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` limits the result, but has no maximum",
    "add the maximum of one call: `maximum: 100`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_LIMITING = frozenset({"maximum", "exclusiveMaximum", "enum", "const"})
_NUMBERS = ("integer", "number")


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each such parameter."""
    for each in visit.properties if visit.is_input else ():
        if (
            each.name in SIZES
            and each.schema.get("type") in _NUMBERS
            and _LIMITING.isdisjoint(each.schema)
            and stated_bounds(each.schema)[1] is None
        ):
            yield visit.diagnostic(KIND, each.path, name=each.name)
