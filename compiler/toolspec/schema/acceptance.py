"""Quick acceptance test for simple values, which saves compiling a validator."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolspec.schema.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

# Supported keywords. `enum` and `const` only for strings: validators and Python compare numbers
# differently.
_ANY = ANNOTATIONS | {
    *("type", "$ref", "minimum", "maximum", "minLength", "maxLength"),
    *("items", "minItems", "maxItems", "properties", "required", "additionalProperties"),
}
_OF_TEXT = _ANY | {"enum", "const"}
_OF_CHECKED_TEXT = _OF_TEXT - {"format", "contentEncoding"}
_TYPES: dict[type, frozenset[str]] = {
    type(None): frozenset({"null"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    str: frozenset({"string"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}
_DEFINED = "#/$defs"
_ESCAPING = frozenset("~%")
# Far less than Python's recursion limit; the validator handles deeper values.
_DEEPEST = 100


def plainly_accepts(
    schema: JsonValue, value: JsonValue, root: JsonValue, *, formats: bool = True
) -> bool:
    """Return whether a schema obviously accepts a value; False proves nothing.

    References are resolved in `root`, and must not be endless. With `formats` false,
    `format` and `contentEncoding` accept everything.
    """
    return _accepts(schema, value, _Scope(root, _OF_CHECKED_TEXT if formats else _OF_TEXT), 0)


class _Scope(NamedTuple):
    """The root for references, and the supported keywords of strings."""

    root: JsonValue
    of_text: frozenset[str]


def _accepts(schema: JsonValue, value: JsonValue, scope: _Scope, depth: int) -> bool:
    if not isinstance(schema, dict):
        return schema is True
    return (
        depth <= _DEEPEST
        and schema.keys() <= (scope.of_text if isinstance(value, str) else _ANY)
        and _has_type(schema, value)
        and (
            "$ref" not in schema or _accepts(_resolved(schema, scope.root), value, scope, depth + 1)
        )
        and _satisfies(schema, value, scope, depth + 1)
    )


def _has_type(schema: JsonObject, value: JsonValue) -> bool:
    declared = schema.get("type")
    if declared is None:
        return True
    names = declared if isinstance(declared, list) else [declared]
    return not _TYPES[type(value)].isdisjoint(map(str, names))


def _satisfies(schema: JsonObject, value: JsonValue, scope: _Scope, depth: int) -> bool:
    match value:
        case str():
            return _accepts_text(schema, value)
        case bool() | None:
            return True
        case int() | float():
            return _is_within(schema, ("minimum", "maximum"), value)
        case list():
            items = schema.get("items", True)
            return _is_within(schema, ("minItems", "maxItems"), len(value)) and all(
                _accepts(items, item, scope, depth) for item in value
            )
        case dict():
            return _accepts_members(schema, value, scope, depth)


def _accepts_text(schema: JsonObject, text: str) -> bool:
    allowed = schema.get("enum", [text])
    return (
        isinstance(allowed, list)
        and text in allowed
        and schema.get("const", text) == text
        and _is_within(schema, ("minLength", "maxLength"), len(text))
    )


def _accepts_members(schema: JsonObject, value: JsonObject, scope: _Scope, depth: int) -> bool:
    required, properties = schema.get("required", []), schema.get("properties", {})
    if not isinstance(required, list) or not isinstance(properties, dict):
        return False
    others = schema.get("additionalProperties", True)
    return all(name in value for name in required) and all(
        _accepts(properties.get(name, others), member, scope, depth)
        for name, member in value.items()
    )


def _is_within(schema: JsonObject, bounds: tuple[str, str], measure: float) -> bool:
    low, high = (schema.get(bound, measure) for bound in bounds)
    return (
        isinstance(low, (int, float)) and isinstance(high, (int, float)) and low <= measure <= high
    )


def _resolved(schema: JsonObject, root: JsonValue) -> JsonValue:
    """Return the target of a schema's reference; None unless it is in the root's `$defs`."""
    reference = schema["$ref"]
    definitions = root.get("$defs") if isinstance(root, dict) else None
    if not isinstance(reference, str) or not isinstance(definitions, dict):
        return None
    prefix, _, name = reference.rpartition("/")
    return definitions.get(name) if prefix == _DEFINED and _ESCAPING.isdisjoint(name) else None
