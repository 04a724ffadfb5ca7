"""A parameter with several values has no description."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` has {count} values and no description",
    "say what the values mean, and which one to use as a rule",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
FEW = 3


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each parameter with many values and no description."""
    if not visit.is_input:
        return
    for each in visit.properties:
        values = each.schema.get("enum")
        if isinstance(values, list) and len(values) > FEW and not each.schema.get("description"):
            yield visit.diagnostic(KIND, each.path, name=each.name, count=len(values))
