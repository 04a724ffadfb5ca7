"""A list does not describe its items."""

from toolspec.rules.api import IN_PLACE, Diagnostics, SchemaVisit, Severity, declare, together

KIND = declare(
    __name__,
    Severity.WARNING,
    "this list does not describe its items",
    "describe them: `items: {{type: string}}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
_DESCRIBING = IN_PLACE | {"items", "prefixItems", "unevaluatedItems", "$ref", "const", "enum"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such lists of a schema."""
    paths = [path for path, node in visit.typed("array") if _DESCRIBING.isdisjoint(node)]
    if paths:
        yield together(paths, lambda group: visit.diagnostic(KIND, group[0]), "and this")
