"""Two values of an `enum` differ only in case or blanks."""

from toolspec.rules.api import Diagnostics, Label, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{value}` and `{other}` look like the same value",
    "keep one of them, and accept any case in the handler if necessary",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
# Signs and units do differ in case: `1m` is a minute, `1M` a month.
_MIN_LENGTH = 3


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each value that an earlier one resembles."""
    for path, node in visit.using("enum"):
        values = node["enum"]
        first: dict[str, int] = {}
        for index, value in enumerate(values if isinstance(values, list) else ()):
            if not isinstance(value, str) or len(value) < _MIN_LENGTH:
                continue
            first_index = first.setdefault(value.strip().casefold(), index)
            assert isinstance(values, list)
            other = values[first_index]
            if other != value:
                location = visit.location(*path, "enum", first_index)
                labels = [Label(location.span, "the other one")] if location else []
                value_path = (*path, "enum", index)
                yield visit.diagnostic(KIND, value_path, labels=labels, value=value, other=other)
