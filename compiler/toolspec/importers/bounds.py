"""Exclusive bounds as draft-04 has them, rewritten as 2020-12 does: the same values are valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

_BOUNDS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
# Values, in which nothing is a keyword; and maps from names to schemas.
_DATA = frozenset({"const", "default", "enum", "example", "examples"})
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})


def modern_bounds(schema: JsonValue) -> JsonValue:
    """Return a schema whose exclusive bounds are numbers.

    One that declares a dialect with `$schema` stays as it is: the compiler reads it by its dialect.
    """
    if isinstance(schema, dict) and "$schema" in schema:
        return schema
    return _schema(schema)


def _schema(node: JsonValue) -> JsonValue:
    if isinstance(node, list):
        return [_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    made: JsonObject = {}
    for key, value in node.items():
        if key in _DATA:
            made[key] = value
        elif key in _MAPS and isinstance(value, dict):
            made[key] = {name: _schema(each) for name, each in value.items()}
        else:
            made[key] = _schema(value)
    for exclusive, bound in _BOUNDS:
        match made.get(exclusive):
            case False:
                del made[exclusive]
            case True if _is_number(made.get(bound)):
                made[exclusive] = made.pop(bound)
            case True:
                del made[exclusive]  # without a bound it says nothing
    return made


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
