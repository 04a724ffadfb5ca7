"""An argument is an object without described members."""

from toolspec.rules.api import IN_PLACE, Diagnostics, Role, SchemaVisit, Severity, declare, together

KIND = declare(
    __name__,
    Severity.NOTE,
    "this object describes none of its members",
    "describe its `properties`, or its values with `additionalProperties`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
_DESCRIBING = IN_PLACE | {
    "properties",
    "patternProperties",
    "propertyNames",
    "$ref",
    "const",
    "enum",
}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such objects below the arguments."""
    if not visit.is_input:
        return
    paths = [
        path
        for path, node in visit.typed("object")
        if (path or visit.role is not Role.INPUT)
        and _DESCRIBING.isdisjoint(node)
        and node.get("additionalProperties", True) in (True, {})
    ]
    if paths:
        yield together(paths, lambda group: visit.diagnostic(KIND, group[0]), "and this")
