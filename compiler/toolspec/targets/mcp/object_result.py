"""Output schemas for revisions with object results: unchanged, or wrapped as `{"result": …}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.definitions import definition
from toolspec.schema.result_wrapper import wrapped

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def is_object(schema: JsonValue) -> bool:
    """Return whether the root has `type: object`, directly or through its `$ref`."""
    visited: set[str] = set()
    root = schema
    while isinstance(schema, dict) and schema.get("type") != "object":
        reference = schema.get("$ref")
        if not isinstance(reference, str) or reference in visited:
            return False
        visited.add(reference)
        schema = definition(root, reference)
    return isinstance(schema, dict)


def may_be_null(schema: JsonValue) -> bool:
    """Return whether null may satisfy a schema: false only where a root keyword excludes it."""
    return not _rules_null_out(schema, schema, frozenset())


def _rules_null_out(schema: JsonValue, root: JsonValue, visited: frozenset[str]) -> bool:
    if not isinstance(schema, dict):
        return schema is False
    kinds = schema.get("type", "null")
    if "null" not in (kinds if isinstance(kinds, list) else [kinds]):
        return True
    values = schema.get("enum")
    if isinstance(values, list) and None not in values:
        return True
    if schema.get("const") is not None:
        return True
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in visited:
        target = definition(root, reference)
        if _rules_null_out(target, root, visited | {reference}):
            return True
    return any(
        isinstance(parts := schema.get(keyword), list)
        and quantifier(_rules_null_out(part, root, visited) for part in parts)
        for keyword, quantifier in (("allOf", any), ("anyOf", all), ("oneOf", all))
    )


def as_object(schema: JsonValue) -> JsonObject:
    """Return a schema with `type: object` at its root: unchanged if it is one, else wrapped."""
    if isinstance(schema, dict) and is_object(schema):
        return schema if "type" in schema else {"type": "object", **schema}
    return wrapped(schema)
