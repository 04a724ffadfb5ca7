"""A parameter can be missing or null, without a stated difference."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    IN_PLACE,
    Diagnostic,
    Diagnostics,
    JsonObject,
    JsonValue,
    Property,
    SchemaVisit,
    Severity,
    declare,
    property_names,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{names} can be missing or null, and the description does not say what null means",
    "say what null means, add a default, or delete `'null'`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_NAMED: tuple[tuple[str, JsonValue], ...] = (("type", "null"), ("anyOf", {"type": "null"}))

# Keywords that may reject null.
_OPAQUE = (IN_PLACE - {"anyOf"}) | {"$ref"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a schema."""
    if not visit.is_input:
        return
    properties = [
        member
        for member in visit.properties
        if not member.is_required and "default" not in member.schema and _is_unclear(member.schema)
    ]
    if properties:
        yield together(properties, partial(_report, visit))


def _report(visit: SchemaVisit, properties: Sequence[Property]) -> Diagnostic:
    return visit.diagnostic(KIND, properties[0].path, names=property_names(properties))


def _is_unclear(schema: JsonObject) -> bool:
    return names_null(schema) and "null" not in str(schema.get("description", "")).casefold()


def names_null(schema: JsonObject) -> bool:
    """Return whether a schema lists null among its types or options, and nothing rejects it."""
    lists_null = [
        null in entries for key, null in _NAMED if isinstance(entries := schema.get(key), list)
    ]
    values = schema.get("enum", [None])
    return (
        bool(lists_null)
        and all(lists_null)
        and not isinstance(schema.get("type"), str)
        and schema.get("const") is None
        and isinstance(values, list)
        and None in values
        and _OPAQUE.isdisjoint(schema)
    )
