"""A required parameter allows only one value."""

from toolspec.rules.api import (
    CONTAINERS,
    IN_PLACE,
    Diagnostics,
    JsonObject,
    JsonValue,
    Role,
    SchemaVisit,
    Severity,
    applied,
    declare,
    shown,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` is required and allows only {value}",
    "delete it, and set it in the handler",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum", "const"})
# A definition may be a branch of a union somewhere.
_BRANCHING = IN_PLACE | CONTAINERS


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each such parameter outside of unions, except for `true` as a confirmation."""
    uses = visit.survey.uses
    if visit.role is not Role.INPUT or not ("enum" in uses or "const" in uses):
        return
    for member in visit.properties:
        only = _only(member.schema) if member.is_required else []
        if len(only) == 1 and only[0] is not True and _BRANCHING.isdisjoint(applied(member.path)):
            yield visit.diagnostic(KIND, member.path, name=member.name, value=shown(only[0]))


def _only(schema: JsonObject) -> list[JsonValue]:
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return listed if isinstance(listed, list) else []
