"""A setting has no description."""

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "the setting `{name}` has no description",
    "say what it is for, where to find its value, and what happens without it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each member of the settings without a description."""
    if visit.role is Role.SETTINGS:
        for member in visit.properties:
            if not member.schema.get("description") and "$ref" not in member.schema:
                yield visit.diagnostic(KIND, member.path, name=member.name)
