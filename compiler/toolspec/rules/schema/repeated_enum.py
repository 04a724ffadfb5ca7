"""A value is listed twice."""

from toolspec.rules.api import Diagnostics, JsonValue, Label, SchemaVisit, Severity, declare, shown

KIND = declare(
    __name__,
    Severity.WARNING,
    "{value} is listed twice",
    "delete the second, or correct it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic at each value that stands in its list before."""
    for path, node in visit.using("enum"):
        values = node["enum"]
        if not isinstance(values, list):
            continue
        if set(map(type, values)) == {str} and len(set(map(str, values))) == len(values):
            continue
        first: dict[tuple[bool, str], int] = {}
        for index, value in enumerate(values):
            at = first.setdefault(_identity(value), index)
            if at != index:
                place = visit.place(*path, "enum", at)
                labels = [Label(place.span, "the first time")] if place else []
                here = (*path, "enum", index)
                yield visit.diagnostic(KIND, here, labels=labels, value=shown(value))


def _identity(value: JsonValue) -> tuple[bool, str]:
    """Return what is equal for equal values of JSON: 1 and 1.0, but not 1 and true."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return isinstance(value, str), value if isinstance(value, str) else repr(value)
