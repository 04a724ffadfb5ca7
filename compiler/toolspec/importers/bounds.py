"""Exclusive bounds of draft-04 rewritten in the form of 2020-12, with the same valid values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

_BOUNDS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
# Keywords with plain values, and keywords that map names to schemas.
_DATA = frozenset({"const", "default", "enum", "example", "examples"})
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})


def modern_bounds(schema: JsonValue) -> JsonValue:
    """Return a schema whose exclusive bounds are numbers.

    One with `$schema` is unchanged: the compiler reads it by its dialect.
    """
    if isinstance(schema, dict) and "$schema" in schema:
        return schema
    return _schema(schema)


def _schema(node: JsonValue) -> JsonValue:
    if isinstance(node, list):
        return [_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    rewritten: JsonObject = {}
    for key, value in node.items():
        if key in _DATA:
            rewritten[key] = value
        elif key in _MAPS and isinstance(value, dict):
            rewritten[key] = {name: _schema(member) for name, member in value.items()}
        else:
            rewritten[key] = _schema(value)
    return with_modern_bounds(rewritten)


def with_modern_bounds(schema: JsonObject) -> JsonObject:
    """Return a schema whose own exclusive bounds are numbers; its subschemas stay as they are."""
    if not any(isinstance(schema.get(exclusive), bool) for exclusive, _ in _BOUNDS):
        return schema
    rewritten = dict(schema)
    for exclusive, bound in _BOUNDS:
        match rewritten.get(exclusive):
            case False:
                del rewritten[exclusive]
            case True if _is_number(rewritten.get(bound)):
                rewritten[exclusive] = rewritten.pop(bound)
            case True:
                del rewritten[exclusive]  # has no effect without a bound
    return rewritten


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
