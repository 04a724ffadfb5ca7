"""Random single edits of schemas: each kind equally often, at a node that is chosen with equal chance.

An edit changes a node of a real schema. A construction makes both versions around a real schema, for
forms that real tools rarely have.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

_ONES = ("items", "additionalProperties", "not", "contains")
_MAPS = ("properties", "$defs", "definitions")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield the object subschemas of a schema, the schema first."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in _ONES:
        yield from nodes(schema.get(key))
    for key in _MAPS:
        held = schema.get(key)
        for member in held.values() if isinstance(held, dict) else ():
            yield from nodes(member)
    for key in _LISTS:
        held = schema.get(key)
        for member in held if isinstance(held, list) else ():
            yield from nodes(member)


def _is(node: dict[str, Any], *types: str) -> bool:
    return node.get("type") in types


def _members(node: dict[str, Any]) -> dict[str, Any]:
    found = node.get("properties")
    return found if isinstance(found, dict) else {}


def close(node: dict[str, Any], chance: Random) -> bool:
    del chance
    was = node.get("additionalProperties", True)
    node["additionalProperties"] = False
    return _is(node, "object") and was is not False


def open_(node: dict[str, Any], chance: Random) -> bool:
    del chance
    was = node.get("additionalProperties")
    node["additionalProperties"] = True
    return _is(node, "object") and was is not True


def add_optional(node: dict[str, Any], chance: Random) -> bool:
    node.setdefault("properties", {})["added"] = chance.choice(
        [{"type": "string"}, {"type": "integer", "minimum": 3}, True, {"type": "array"}]
    )
    return _is(node, "object")


def add_required(node: dict[str, Any], chance: Random) -> bool:
    node["required"] = [*node.get("required", []), "added"]
    return add_optional(node, chance)


def remove_member(node: dict[str, Any], chance: Random) -> bool:
    members = _members(node)
    if not members:
        return False
    name = chance.choice(sorted(members))
    del members[name]
    if name in node.get("required", []):
        node["required"] = [each for each in node["required"] if each != name]
    return True


def toggle_required(node: dict[str, Any], chance: Random) -> bool:
    members = _members(node)
    if not members:
        return False
    name, required = chance.choice(sorted(members)), node.get("required", [])
    node["required"] = (
        [each for each in required if each != name] if name in required else [*required, name]
    )
    return True


def widen_type(node: dict[str, Any], chance: Random) -> bool:
    stated = node.get("type")
    if not isinstance(stated, str) or "enum" in node:
        return False
    node["type"] = [stated, chance.choice([each for each in ("null", "boolean") if each != stated])]
    return True


def change_type(node: dict[str, Any], chance: Random) -> bool:
    stated = node.get("type")
    node["type"] = chance.choice(
        [each for each in ("string", "integer", "array") if each != stated]
    )
    return isinstance(stated, str)


def to_number(node: dict[str, Any], chance: Random) -> bool:
    del chance
    was = node.get("type")
    node["type"] = "number"
    return was == "integer"


def to_integer(node: dict[str, Any], chance: Random) -> bool:
    del chance
    was = node.get("type")
    node["type"] = "integer"
    return was == "number"


def add_value(node: dict[str, Any], chance: Random) -> bool:
    del chance
    if not isinstance(node.get("enum"), list):
        return False
    node["enum"] = [*node["enum"], "an added value"]
    return True


def remove_value(node: dict[str, Any], chance: Random) -> bool:
    values = node.get("enum")
    if not isinstance(values, list) or len(values) < 2:
        return False
    values.pop(chance.randrange(len(values)))
    return True


def restrict(node: dict[str, Any], chance: Random) -> bool:
    del chance
    was = "enum" in node
    node["enum"] = ["one", "two"]
    return _is(node, "string") and not was


def bound(node: dict[str, Any], chance: Random) -> bool:
    words = {
        "string": ("minLength", "maxLength"),
        "integer": ("minimum", "maximum", "exclusiveMinimum"),
        "number": ("minimum", "exclusiveMaximum"),
        "array": ("minItems", "maxItems"),
        "object": ("minProperties", "maxProperties"),
    }.get(str(node.get("type")))
    if not words:
        return False
    word, value = chance.choice(words), chance.randrange(6)
    if node.get(word) == value:
        return False
    node[word] = value
    return True


def multiple(node: dict[str, Any], chance: Random) -> bool:
    node["multipleOf"] = chance.choice([2, 3, 5])
    return _is(node, "integer", "number")


def pattern(node: dict[str, Any], chance: Random) -> bool:
    was = node.get("pattern")
    node["pattern"] = chance.choice(["^[a-z]+$", "^[a-z0-9]+$", "a", "^.{0,3}$"])
    return _is(node, "string") and node["pattern"] != was


def format_(node: dict[str, Any], chance: Random) -> bool:
    was = node.get("format")
    node["format"] = chance.choice(["date", "uuid", "email", "uri"])
    return _is(node, "string") and node["format"] != was


def unique(node: dict[str, Any], chance: Random) -> bool:
    del chance
    node["uniqueItems"] = not node.get("uniqueItems", False)
    return _is(node, "array")


def property_names(node: dict[str, Any], chance: Random) -> bool:
    node["propertyNames"] = {"pattern": chance.choice(["^[a-z]", "^[a-zA-Z_]+$"])}
    return _is(node, "object")


def pattern_properties(node: dict[str, Any], chance: Random) -> bool:
    node["patternProperties"] = {"^x": {"type": chance.choice(["string", "integer"])}}
    return _is(node, "object")


def additional_schema(node: dict[str, Any], chance: Random) -> bool:
    was = node.get("additionalProperties")
    node["additionalProperties"] = {"type": chance.choice(["string", "integer"])}
    return _is(node, "object") and was != node["additionalProperties"]


def items(node: dict[str, Any], chance: Random) -> bool:
    node["items"] = chance.choice([{"type": "string", "minLength": 1}, {"type": "integer"}, True])
    return _is(node, "array")


def narrow_items(node: dict[str, Any], chance: Random) -> bool:
    form = node.get("items", {})
    if not _is(node, "array") or not isinstance(form, dict):
        return False
    node["items"] = {**form, **chance.choice([{"enum": ["a", 1]}, {"minLength": 2}, {"not": {}}])}
    return True


def branch(node: dict[str, Any], chance: Random) -> bool:
    word = next((each for each in ("anyOf", "oneOf") if isinstance(node.get(each), list)), None)
    if word is None:
        return False
    if len(node[word]) > 1 and chance.random() < 0.5:
        node[word].pop(chance.randrange(len(node[word])))
    else:
        node[word].append(
            {"type": "object", "properties": {"added": {"const": 1}}, "required": ["added"]}
        )
    return True


def negate(node: dict[str, Any], chance: Random) -> bool:
    node["not"] = chance.choice([{"const": 1}, {"required": ["added"]}, {"type": "null"}])
    return "type" in node


def depend(node: dict[str, Any], chance: Random) -> bool:
    members = sorted(_members(node))
    if len(members) < 2:
        return False
    first, second = chance.sample(members, 2)
    node["dependentRequired"] = {first: [second]}
    return True


def two_patterns(schema: Any, chance: Random) -> tuple[Any, Any]:
    forms = ["^[a-z]+$", "^[a-z0-9]+$", "a", "^a", "^.{0,3}$", "^(a|b)*$", "^[^ ]{2,5}$", "^x-"]
    first, second = chance.sample(forms, 2)
    old, new = ({"type": "string", "pattern": form} for form in (first, second))
    members = {"whole": schema}
    return (
        {"type": "object", "properties": {**members, "text": old}},
        {"type": "object", "properties": {**members, "text": new}},
    )


def recursive_leaf(schema: Any, chance: Random) -> tuple[Any, Any]:
    leaf: dict[str, Any] = chance.choice(
        [{"type": "integer"}, {"type": "string"}, {"enum": [1, 2]}]
    )
    old = _tree(schema, "node", leaf)
    new = edited(leaf, chance, chance.choice([widen_type, bound, pattern, remove_value, add_value]))
    return old, _tree(schema, "node", {**leaf, "minLength": 2} if new is None else new)


def renamed_definition(schema: Any, chance: Random) -> tuple[Any, Any]:
    leaf = {"type": "string"}
    new = chance.choice([leaf, {"type": "string", "minLength": 1}, {"type": ["string", "null"]}])
    return _tree(schema, "node", leaf), _tree(schema, "Tree", new)


def _tree(schema: Any, name: str, leaf: Any) -> Any:
    link = {"$ref": f"#/$defs/{name}"}
    members = {"value": leaf, "left": link, "others": {"type": "array", "items": link}}
    tree = {"type": "object", "properties": members, "required": ["value"]}
    whole = {"type": "object", "properties": {"root": link, "more": {"type": "object"}}}
    return {**whole, "description": str(schema.get("description")), "$defs": {name: tree}}


def deep_nest(schema: Any, chance: Random) -> tuple[Any, Any]:
    old = {"type": "object", "properties": {"leaf": {"type": chance.choice(["string", "integer"])}}}
    new = edited(old, chance, chance.choice([bound, change_type, close, pattern, to_number]))
    made = [old, old if new is None else new]
    for _ in range(60):
        made = [
            {"type": "object", "properties": {"in": inner}, "required": ["in"]} for inner in made
        ]
    return made[0], made[1]


def long_union(schema: Any, chance: Random) -> tuple[Any, Any]:
    branches = [
        {
            "type": "object",
            "properties": {"kind": {"const": f"k{index}"}, "size": {"type": "integer"}},
            "required": ["kind"],
        }
        for index in range(chance.randrange(40, 60))
    ]
    at = chance.randrange(len(branches))
    new = edited(branches[at], chance, chance.choice([bound, close, to_number, toggle_required]))
    others = [[], [branches[at] if new is None else new]][chance.random() < 0.7]
    word = chance.choice(["oneOf", "anyOf"])
    return (
        {"type": "object", "properties": {"item": {word: branches}}},
        {
            "type": "object",
            "properties": {"item": {word: branches[:at] + others + branches[at + 1 :]}},
        },
    )


EDITS: tuple[Callable[[dict[str, Any], Random], bool], ...] = (
    close, open_, add_optional, add_required, remove_member, toggle_required, widen_type, change_type,
    to_number, to_integer, add_value, remove_value, restrict, bound, multiple, pattern, format_, unique,
    property_names, pattern_properties, additional_schema, items, narrow_items, branch, negate, depend,
)  # fmt: skip
CONSTRUCTIONS: tuple[Callable[[Any, Random], tuple[Any, Any]], ...] = (
    two_patterns, recursive_leaf, renamed_definition, deep_nest, long_union,
)  # fmt: skip


def pairs(schemas: list[Any], chance: Random, count: int) -> Iterator[tuple[str, Any, Any]]:
    """Yield the names of edits with the schemas before and after them, each edit in turn."""
    kinds = (*EDITS, *CONSTRUCTIONS)
    for number in range(count):
        kind, old, new = kinds[number % len(kinds)], None, None
        while new is None or new == old:
            old = chance.choice(schemas)
            if kind in CONSTRUCTIONS:
                old, new = kind(old, chance)
            else:
                new = edited(old, chance, kind)
        yield kind.__name__, old, new


def edited(schema: Any, chance: Random, edit: Callable[[dict[str, Any], Random], bool]) -> Any:
    """Return a copy of a schema with an edit at one of its nodes; None if it fits none of them."""
    places = [*range(len([*nodes(schema)]))]
    chance.shuffle(places)
    for place in places[:30]:
        copy = json.loads(json.dumps(schema))
        node = [*nodes(copy)][place]
        if edit(node, chance) and copy != schema:
            return copy
    return None
