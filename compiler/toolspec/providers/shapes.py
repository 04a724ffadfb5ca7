"""What can be told of a value at a glance: enough to know which of several forms it has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from toolspec.schema.keywords import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolspec.providers.node import Node
    from toolspec.syntax.nodes import JsonObject, JsonValue

Key: TypeAlias = "tuple[str, object]"
Resolve: TypeAlias = "Callable[[str], Node | None]"

_ALL = frozenset(TYPES)


@dataclass(frozen=True, slots=True)
class Shape:
    """What every value of a schema has.

    `types` are those it may have. For objects: the names that are `required`, the `keys` it may have
    (None where it may have any), and the `values` that a member is limited to.
    """

    types: frozenset[str] = _ALL
    required: frozenset[str] = frozenset()
    keys: frozenset[str] | None = None
    values: Mapping[str, tuple[JsonValue, ...]] = field(default_factory=dict)
    texts: tuple[JsonValue, ...] | None = None

    def test(self) -> JsonObject:
        """Return it as plain JSON, for the runtime."""
        made: JsonObject = {"types": sorted(self.types)}
        if self.required:
            made["required"] = sorted(self.required)
        if self.keys is not None:
            made["keys"] = sorted(self.keys)
        if self.values:
            made["values"] = {name: list(self.values[name]) for name in sorted(self.values)}
        return made


def key(value: JsonValue) -> Key:
    """Return what two values have in common exactly if JSON Schema holds them equal."""
    match value:
        case bool() | None:
            return ("constant", value)
        case int() | float():
            return ("number", value)
        case str():
            return ("string", value)
        case list():
            return ("array", tuple(key(each) for each in value))
        case dict():
            return ("object", frozenset((name, key(each)) for name, each in value.items()))


def limited(node: Node) -> tuple[JsonValue, ...] | None:
    """Return the values that a schema leaves; None where it lists none."""
    if "const" in node:
        return (node.value("const"),)
    values = node.value("enum")
    return tuple(values) if isinstance(values, list) else None


def type_of(value: JsonValue) -> str:
    """Return the type of a JSON value; a whole number is an `integer`."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"


def shape(node: Node, resolve: Resolve, depth: int = 8) -> Shape:
    """Return what can be told of a schema's values; references are followed `depth` deep."""
    target = resolve(str(node.value("$ref"))) if "$ref" in node and depth else None
    if target is not None:
        return shape(target, resolve, depth - 1)
    branches = node.many("anyOf") or node.many("oneOf")
    types = _types(node)
    if branches and depth:
        types &= frozenset().union(*(shape(each, resolve, depth - 1).types for each in branches))
    properties = node.named("properties")
    closed = node.additional.is_never and not node.named("patternProperties")
    values = {
        name: found
        for name, each in properties.items()
        if name in node.required and (found := limited(each)) is not None
    }
    keys = frozenset(properties) if closed else None
    return Shape(types, frozenset(node.required), keys, values, limited(node))


def _types(node: Node) -> frozenset[str]:
    if node.is_never:
        return frozenset()
    stated = frozenset(node.types) or _ALL
    if "number" in stated:
        stated |= {"integer"}
    values = limited(node)
    return stated if values is None else stated & frozenset(map(type_of, values))


def disjoint(one: Shape, other: Shape) -> bool:
    """Whether it is proven that no value has both shapes."""
    common = one.types & other.types
    if not common:
        return True
    if _apart(one.texts, other.texts):
        return True
    if common != {"object"}:
        return False
    return (
        any(
            _apart(one.values[name], other.values[name])
            for name in one.values.keys() & other.values
        )
        or _lacks(one, other)
        or _lacks(other, one)
    )


def _apart(some: Iterable[JsonValue] | None, others: Iterable[JsonValue] | None) -> bool:
    if some is None or others is None:
        return False
    return not {key(each) for each in some} & {key(each) for each in others}


def _lacks(closed: Shape, other: Shape) -> bool:
    return closed.keys is not None and not other.required <= closed.keys
