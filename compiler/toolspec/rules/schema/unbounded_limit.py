"""A parameter limits the result, but has no maximum."""

from toolspec.rules.api import (
    Diagnostics,
    PagingRole,
    SchemaVisit,
    Severity,
    declare,
    paging_role,
    stated_bounds,
)

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
    for parameter in visit.properties if visit.is_input else ():
        if (
            paging_role(parameter.name) is PagingRole.SIZE
            and parameter.schema.get("type") in _NUMBERS
            and _LIMITING.isdisjoint(parameter.schema)
            and stated_bounds(parameter.schema)[1] is None
        ):
            yield visit.diagnostic(KIND, parameter.path, name=parameter.name)
