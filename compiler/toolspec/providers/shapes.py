"""Shapes of values: types, required names and listed values that a schema allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.keywords import TYPES
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolspec.providers.node import Node
    from toolspec.syntax.nodes import JsonObject, JsonValue

Values: TypeAlias = "tuple[JsonValue, ...] | None"
Key: TypeAlias = "tuple[str, object]"
Resolve: TypeAlias = "Callable[[str], Node | None]"

ALL = frozenset(TYPES)


@dataclass(frozen=True, slots=True)
class Shape:
    """Common properties of all values of a schema.

    `types` are the possible ones, `values` all values where they are listed. For objects: the
    `required` names, the possible `keys` (None for any), the types of `members`, and the values
    they are `limited` to; for arrays: the types of `items`.
    """

    types: frozenset[str] = ALL
    values: Values = None
    required: frozenset[str] = frozenset()
    keys: frozenset[str] | None = None
    items: frozenset[str] = ALL
    members: Mapping[str, frozenset[str]] = field(default_factory=dict)
    limited: Mapping[str, Values] = field(default_factory=dict)

    def test(self) -> JsonObject:
        """Return the shape as plain JSON, for the runtime."""
        test: JsonObject = {"types": [*sorted(self.types)]}
        if self.required:
            test["required"] = [*sorted(self.required)]
        if self.keys is not None:
            test["keys"] = [*sorted(self.keys)]
        if self.items != ALL:
            test["items"] = [*sorted(self.items)]
        if self.members:
            test["members"] = {name: [*sorted(self.members[name])] for name in sorted(self.members)}
        if self.limited:
            test["values"] = {name: [*(self.limited[name] or ())] for name in sorted(self.limited)}
        return test


def key(value: JsonValue) -> Key:
    """Return a hashable key that is equal exactly for values that JSON Schema considers equal."""
    match value:
        case bool() | None:
            return ("constant", value)
        case int() | float():
            return ("number", value)
        case str():
            return ("string", value)
        case list():
            return ("array", tuple(key(item) for item in value))
        case dict():
            return ("object", frozenset((name, key(item)) for name, item in value.items()))


def limited(node: Node) -> tuple[JsonValue, ...] | None:
    """Return the values of `const` or `enum`; None where neither is present."""
    if "const" in node:
        return (node.value("const"),)
    values = node.value("enum")
    return tuple(values) if isinstance(values, list) else None


_TYPES = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    str: "string",
    list: "array",
    dict: "object",
}


def type_of(value: JsonValue) -> str:
    """Return the type of a JSON value; a whole number is an `integer`."""
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return _TYPES[type(value)]


def common_type(values: Iterable[JsonValue]) -> str:
    """Return the common type of some values; empty where they have several."""
    types = set(map(type_of, values))
    if types == {"integer", "number"}:
        return "number"
    return types.pop() if len(types) == 1 else ""


def shape(node: Node, resolve: Resolve) -> Shape:
    """Return the shape of a schema's values."""
    met: set[str] = set()
    while (text := str(node.value("$ref") or "")) and text not in met:
        met.add(text)
        node = resolve(text) or node
    properties = node.named("properties")
    closed = node.additional.is_never and not node.named("patternProperties")
    types = {name: types_of(member, resolve) for name, member in properties.items()}
    limits = {name: limited(member) for name, member in properties.items()}
    return Shape(
        types_of(node, resolve),
        limited(node),
        frozenset(node.required),
        frozenset(properties) if closed else None,
        types_of(items, resolve) if (items := node.one("items")) else ALL,
        {name: member_types for name, member_types in types.items() if member_types != ALL},
        {name: values for name, values in limits.items() if values is not None},
    )


def types_of(node: Node, resolve: Resolve, depth: int = 4) -> frozenset[str]:
    """Return the possible types of a schema's values; unions are searched `depth` levels deep."""
    if node.is_never:
        return frozenset()
    types = frozenset(node.types) or ALL
    if "number" in types:
        types |= {"integer"}
    values = limited(node)
    if values is not None:
        types &= frozenset(map(type_of, values))
    if not depth:
        return types
    target = resolve(str(node.value("$ref"))) if "$ref" in node else None
    if target is not None:
        types &= types_of(target, resolve, depth - 1)
    for word in ("anyOf", "oneOf"):
        branches = node.many(word)
        if branches:
            types &= frozenset().union(
                *(types_of(branch, resolve, depth - 1) for branch in branches)
            )
    # OpenAPI's notation, which a step may have written.
    return types | {"null"} if node.value("nullable") is True else types


def disjoint(one: Shape, other: Shape) -> bool:
    """Return whether provably no value has both shapes."""
    common = one.types & other.types
    if not common:
        return True
    if _share_no_value(one.values, other.values):
        return True
    if common != {"object"}:
        return False
    return (
        any(_differ(one, other, name) for name in one.required | other.required)
        or _lacks(one, other)
        or _lacks(other, one)
    )


def _differ(one: Shape, other: Shape, name: str) -> bool:
    """Return whether no value of a required member satisfies both shapes."""
    if not one.members.get(name, ALL) & other.members.get(name, ALL):
        return True
    return _share_no_value(one.limited.get(name), other.limited.get(name))


def _share_no_value(some: Values, others: Values) -> bool:
    if some is None or others is None:
        return False
    return not {key(value) for value in some} & {key(other) for other in others}


def _lacks(closed: Shape, other: Shape) -> bool:
    return closed.keys is not None and not other.required <= closed.keys
