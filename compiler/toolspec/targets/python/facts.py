"""What the layers of a schema say together: the types allowed, what tells options apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.expressions import atoms, kind_of
from toolspec.targets.python.identifiers import pascal
from toolspec.targets.python.sites import SHAPING, TELLING, Site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.python.model import Expression

# Beside one of these, `type` is not all that the type of a value depends on.
_MORE_THAN_TYPE = frozenset({"$ref", "allOf", "anyOf", "oneOf", "enum", "const"})


def keys(value: JsonValue) -> list[str]:
    """Return the names of an object's members, or the texts of a list."""
    found = value if isinstance(value, (dict, list)) else ()
    return [each for each in found if isinstance(each, str)]


def plain_type(sites: tuple[Site, ...]) -> Expression | None:
    """Return the type that the keyword `type` tells alone, as of most schemas; else None."""
    if len(sites) != 1:
        return None
    members = sites[0].members
    if "type" not in members or not _MORE_THAN_TYPE.isdisjoint(members):
        return None
    stated = members["type"]
    return atoms((stated,) if isinstance(stated, str) else tuple(keys(stated)))


def allowed(layers: tuple[Site, ...]) -> tuple[str, ...] | None:
    """Return the types that every layer allows; None where none names any."""
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


def told(layers: Iterable[Site]) -> tuple[str, ...]:
    """Return the one type that the keywords speak of; nothing if they speak of several."""
    kinds = {TELLING[each] for layer in layers for each in layer.members if each in TELLING}
    return tuple(kinds) if len(kinds) == 1 else ()


def stated_values(layers: Iterable[Site]) -> tuple[Site, list[JsonValue]] | None:
    """Return the shortest list of values that a layer allows; None where no layer lists any."""
    found: list[tuple[Site, list[JsonValue]]] = []
    for layer in layers:
        members = layer.members
        if "const" in members:
            found.append((layer, [members["const"]]))
        elif isinstance(values := members.get("enum"), list):
            found.append((layer, values))
    return min(found, key=lambda each: len(each[1])) if found else None


def first_choice(layers: tuple[Site, ...]) -> tuple[tuple[Site, ...], tuple[Site, ...]] | None:
    """Return what holds besides the first `oneOf` or `anyOf`, and its options; None without one."""
    for number, layer in enumerate(layers):
        for keyword in ("oneOf", "anyOf"):
            if keyword in layer.members:
                rest = Site(layer.root, layer.path, layer.node, layer.without | {keyword})
                base = (*layers[:number], rest, *layers[number + 1 :])
                return tuple(each for each in base if each.says_anything), layer.listed(keyword)
    return None


def fits(value: JsonValue, kinds: tuple[str, ...]) -> bool:
    """Whether a value is of one of some types."""
    kind = kind_of(value)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def is_closed(layers: tuple[Site, ...]) -> bool:
    """Whether an object may have no keys but those listed."""
    return any(
        layer.members.get("additionalProperties") is False
        and not layer.members.get("patternProperties")
        for layer in layers
    )


def adds_shape(base: tuple[Site, ...], options: list[tuple[Site, ...]]) -> bool:
    """Whether any option says more than which properties are required, or the one type again."""
    is_single = len(allowed(base) or ()) == 1
    weighty = SHAPING - ({"required", "type"} if is_single else {"required"})
    layers = [layer for option in options for layer in option]
    return any(not weighty.isdisjoint(layer.members) or layer.node is False for layer in layers)


def suffixes(options: list[tuple[Site, ...]]) -> list[str]:
    """Return what tells the options' classes apart: nothing if one needs a class, else a word."""
    classes = [any("properties" in layer.members for layer in layers) for layers in options]
    if sum(classes) <= 1:
        return [""] * len(options)
    return [_tag(layers) or f"Option{number}" for number, layers in enumerate(options, 1)]


def _tag(layers: tuple[Site, ...]) -> str:
    """Return the word of a property that has one value only: what unions are told apart by."""
    for layer in layers:
        properties = layer.members.get("properties")
        for schema in properties.values() if isinstance(properties, dict) else ():
            if isinstance(schema, dict) and isinstance(schema.get("const"), str):
                return pascal(str(schema["const"]))
    return ""
