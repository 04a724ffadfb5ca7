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
    for member in visit.properties:
        values = member.schema.get("enum")
        if isinstance(values, list) and len(values) > FEW and not member.schema.get("description"):
            yield visit.diagnostic(KIND, member.path, name=member.name, count=len(values))
