"""An `enum` contains a value twice."""

from toolspec.rules.api import Diagnostics, JsonValue, Label, SchemaVisit, Severity, declare, shown

KIND = declare(
    __name__,
    Severity.WARNING,
    "duplicate value {value} in `enum`",
    "delete or correct the second one",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each value that an earlier one equals."""
    for path, node in visit.using("enum"):
        values = node["enum"]
        if not isinstance(values, list):
            continue
        if set(map(type, values)) == {str} and len(set(map(str, values))) == len(values):
            continue
        first: dict[tuple[bool, str], int] = {}
        for index, value in enumerate(values):
            first_index = first.setdefault(_identity(value), index)
            if first_index != index:
                location = visit.location(*path, "enum", first_index)
                labels = [Label(location.span, "first here")] if location else []
                value_path = (*path, "enum", index)
                yield visit.diagnostic(KIND, value_path, labels=labels, value=shown(value))


def _identity(value: JsonValue) -> tuple[bool, str]:
    """Return a key that is equal for equal JSON values: 1 and 1.0, but not 1 and true."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return isinstance(value, str), value if isinstance(value, str) else repr(value)
