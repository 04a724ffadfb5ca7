"""Facts about merged schema layers: allowed types, listed values, required keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared import encodings
from toolspec.targets.python.expressions import ATOMS, atoms, constants, kind_of, subscript
from toolspec.targets.python.identifiers import pascal
from toolspec.targets.python.schema_location import SHAPING, SchemaLocation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.python.expressions import Expression

# With one of these, the type of a value depends on more than `type`, `enum` and `items`.
_MORE = frozenset({"$ref", "allOf", "anyOf", "oneOf", "const", "prefixItems"})


def keys(value: JsonValue) -> list[str]:
    """Return the names of an object's members, or the texts of a list."""
    found = value if isinstance(value, (dict, list)) else ()
    return [each for each in found if isinstance(each, str)]


def plain_type(schema: JsonValue) -> Expression | None:
    """Return the type of a schema of scalars or of an array of them (the usual case); else None."""
    if isinstance(schema, dict) and schema.get("type") == "array" and _MORE.isdisjoint(schema):
        held = None if "enum" in schema else _scalar_type(schema.get("items"))
        return held and subscript("list", held)
    return _scalar_type(schema)


def _scalar_type(schema: JsonValue) -> Expression | None:
    if not isinstance(schema, dict) or "type" not in schema or not _MORE.isdisjoint(schema):
        return None
    stated = schema["type"]
    if isinstance(stated, str) and "enum" not in schema:
        return ATOMS.get(stated)
    kinds = (stated,) if isinstance(stated, str) else tuple(keys(stated))
    if "enum" not in schema:
        return atoms(kinds)
    values = schema["enum"]
    if not isinstance(values, list) or any(isinstance(value, (list, dict)) for value in values):
        return None
    return listed_type(values, kinds)


def says_encoding(schema: JsonValue) -> bool:
    """Return whether a schema, or that of its items, has a `contentEncoding`."""
    if not isinstance(schema, dict):
        return False
    items = schema.get("items")
    return "contentEncoding" in schema or (isinstance(items, dict) and "contentEncoding" in items)


def is_base64(schema: JsonValue) -> bool:
    """Return whether a schema describes base64 strings, as `runtime/bytes_codec.py` decides it."""
    if not isinstance(schema, dict) or schema.get("contentEncoding") not in encodings.BYTES:
        return False
    stated = schema.get("type")
    return "string" in (stated if isinstance(stated, list) else [stated])


def listed_type(values: Iterable[JsonValue], kinds: tuple[str, ...] | None) -> Expression:
    """Return the type of those values that are scalars of an allowed type."""
    scalars = [value for value in values if not isinstance(value, (list, dict))]
    return constants(scalar for scalar in scalars if kinds is None or fits(scalar, kinds))


def allowed(layers: tuple[SchemaLocation, ...]) -> tuple[str, ...] | None:
    """Return the types that every layer allows; None if no layer has a `type`."""
    common: tuple[str, ...] | None = None
    for layer in layers:
        stated = layer.members.get("type")
        types = (stated,) if isinstance(stated, str) else tuple(keys(stated))
        if "type" in layer.members:
            common = types if common is None else _intersection(common, types)
    return common


def _intersection(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types in both; every integer is a number."""
    wide = [each for each in one if each in other or (each == "integer" and "number" in other)]
    if "number" in one and "integer" in other:
        wide.append("integer")
    return tuple(dict.fromkeys(wide))


def stated_values(
    layers: Iterable[SchemaLocation],
) -> tuple[SchemaLocation, list[JsonValue]] | None:
    """Return the shortest `enum` or `const` of the layers; None without any."""
    found: list[tuple[SchemaLocation, list[JsonValue]]] = []
    for layer in layers:
        members = layer.members
        if "const" in members:
            found.append((layer, [members["const"]]))
        elif isinstance(values := members.get("enum"), list):
            found.append((layer, values))
    return min(found, key=lambda each: len(each[1])) if found else None


def first_choice(
    layers: tuple[SchemaLocation, ...],
) -> tuple[tuple[SchemaLocation, ...], tuple[SchemaLocation, ...]] | None:
    """Return the first `oneOf` or `anyOf` as its options, after the remaining layers; else None."""
    for number, layer in enumerate(layers):
        for keyword in ("oneOf", "anyOf"):
            if keyword in layer.members:
                without = layer.without | {keyword}
                rest = SchemaLocation(layer.root, layer.path, layer.node, without, layer.filled)
                base = (*layers[:number], rest, *layers[number + 1 :])
                return tuple(each for each in base if each.shapes), layer.listed(keyword)
    return None


def fits(value: JsonValue, kinds: tuple[str, ...]) -> bool:
    """Return whether a value is of one of the types."""
    kind = kind_of(value)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def is_closed(layers: tuple[SchemaLocation, ...]) -> bool:
    """Return whether an object allows listed keys only."""
    return any(
        layer.members.get("additionalProperties") is False
        and not layer.members.get("patternProperties")
        for layer in layers
    )


def adds_shape(base: tuple[SchemaLocation, ...], options: list[tuple[SchemaLocation, ...]]) -> bool:
    """Return whether any option has more than `required` or a repeated single `type`."""
    is_single = len(allowed(base) or ()) == 1
    weighty = SHAPING - ({"required", "type"} if is_single else {"required"})
    layers = [layer for option in options for layer in option]
    return any(not weighty.isdisjoint(layer.members) or layer.node is False for layer in layers)


def suffixes(options: list[tuple[SchemaLocation, ...]]) -> list[str]:
    """Return a class name suffix for each option; empty if at most one option needs a class."""
    classes = [any("properties" in layer.members for layer in layers) for layers in options]
    if sum(classes) <= 1:
        return [""] * len(options)
    return [_tag(layers) or f"Option{number}" for number, layers in enumerate(options, 1)]


def _tag(layers: tuple[SchemaLocation, ...]) -> str:
    """Return the first property's `const` text, the discriminator of a union; empty without one."""
    for layer in layers:
        properties = layer.members.get("properties")
        for schema in properties.values() if isinstance(properties, dict) else ():
            if isinstance(schema, dict) and isinstance(schema.get("const"), str):
                return pascal(str(schema["const"]))
    return ""
