"""A list of allowed values has a blank one."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "one of the values is blank",
    "leave it out and let the parameter be optional, or give it a word",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic at each blank value among others that a model can choose."""
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        for index, value in enumerate(values if isinstance(values, list) else ()):
            if isinstance(value, str) and not value.strip():
                yield visit.diagnostic(KIND, (*path, "enum", index))
