"""A list among the arguments has no maximum length."""

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    SchemaVisit,
    Severity,
    declare,
    meant,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "this list has no maximum length",
    "add the maximum that one call can handle: `maxItems: 100`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
_LIMITING = frozenset({"maxItems", "const", "enum", "$ref"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all lists without a maximum length in a schema of arguments."""
    if not visit.is_input:
        return
    paths = [path for path, node in visit.typed("array") if not _is_limited(visit, node)]
    if paths:
        yield together(paths, lambda group: visit.diagnostic(KIND, group[0]), "and this")


def _is_limited(visit: SchemaVisit, node: JsonObject) -> bool:
    items = node.get("items")
    if not _LIMITING.isdisjoint(node) or items is False:
        return True
    if isinstance(items, list):  # a tuple of draft-07
        return node.get("additionalItems") is False
    if node.get("uniqueItems") is not True:
        return False
    item_schema = meant(items, visit.schema.bundle)
    return isinstance(item_schema, dict) and "enum" in item_schema
