"""An `enum` contains a blank value."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "one of the values is blank",
    "delete it and make the parameter optional, or use a word",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each blank value among others that a model can choose."""
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        for index, value in enumerate(values if isinstance(values, list) else ()):
            if isinstance(value, str) and not value.strip():
                yield visit.diagnostic(KIND, (*path, "enum", index))
