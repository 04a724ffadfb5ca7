"""Random schemas over few names, numbers and texts, so that two of them often have to do with each other."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_SCALARS: list[Any] = [None, True, False, 0, 1, 2, 3, 6, -1, 0.5, 1.5, "", "a", "ab", "abc", "b1"]
_LISTS: list[Any] = [
    [],
    [1],
    ["a"],
    [1, 1],
    [1, "a"],
    ["a", 1, None],
    [[1]],
    [{}],
    [0.5, 2],
    [1, 2, 3],
]
_MEMBERS: list[Any] = [1, "a", None, [], {"a": 1}]
_OBJECTS: list[Any] = [
    {},
    *({name: value} for name in ("a", "b", "ab", "x") for value in _MEMBERS),
    *({"a": one, "b": other} for one, other in product(_MEMBERS, _MEMBERS)),
    {"a": 1, "b": 1, "x": 1},
    {"a": {"a": {"a": 1}}},
    {"a": {"a": {"a": "a"}}},
]
VALUES = [*_SCALARS, *_LISTS, *_OBJECTS]
"""Values that tell most of these schemas apart."""

_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
_LIMITS = (
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
)  # fmt: skip
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_REFERENCES = ({"$ref": "#/$defs/one"}, {"$ref": "#/$defs/other"})
_FORMS = ("^a", "b", "^[a-z]+$", "^.{0,2}$")


def random_schema(chance: Random, depth: int = 3) -> Any:
    """Return a random schema; references lead to two definitions of its root."""
    root = _schema(chance, depth)
    if isinstance(root, dict):
        root["$defs"] = {name: _schema(chance, 2) for name in ("one", "other")}
    return root


def is_endless(schema: Any) -> bool:
    """Return whether a definition refers to itself in place, which JSON Schema leaves without a meaning."""
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    reached = {name: _reached(definition) for name, definition in definitions.items()}
    return any(
        name in names or any(name in reached.get(other, ()) for other in names)
        for name, names in reached.items()
    )


def _reached(schema: Any) -> set[str]:
    """Return the definitions that apply to the same value as a schema."""
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"].rpartition("/")[2]} if "$ref" in schema else set()
    inner = [schema[word] for word in ("not", "if", "then", "else") if word in schema]
    inner += [each for word in ("allOf", "anyOf", "oneOf") for each in schema.get(word, ())]
    inner += schema.get("dependentSchemas", {}).values()
    return own.union(*map(_reached, inner))


def changed(schema: Any, chance: Random) -> Any:
    """Return a copy of a schema with some keywords of some subschemas replaced."""
    copy = json.loads(json.dumps(schema))
    waiting: list[Any] = [copy]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        if isinstance(node, dict):
            if chance.random() < 0.15 and not node.keys() <= {"a", "b", "ab", "one", "other"}:
                new = _schema(chance, 1)
                node |= new if isinstance(new, dict) else {}
            if chance.random() < 0.15 and node.keys() & set(_KEYWORDS):
                del node[chance.choice(sorted(node.keys() & set(_KEYWORDS)))]
            waiting += [item for key, item in node.items() if key not in ("enum", "const")]
    return copy


def _schema(chance: Random, depth: int) -> Any:
    if depth <= 0 or chance.random() < 0.1:
        simple = [True, False, *_REFERENCES, *_REFERENCES, *({"type": name} for name in _TYPES)]
        return dict(made) if isinstance(made := chance.choice(simple), dict) else made
    names = chance.sample(sorted(_KEYWORDS), chance.randrange(1, 4))
    schema = {name: _KEYWORDS[name](chance, depth - 1) for name in names}
    if chance.random() < 0.5:
        schema.setdefault("type", chance.choice(_TYPES))
    return schema


def _some(chance: Random, depth: int) -> list[Any]:
    return [_schema(chance, depth) for _ in range(chance.randrange(1, 4))]


def _named(chance: Random, depth: int) -> dict[str, Any]:
    names = chance.sample(["a", "b", "ab"], chance.randrange(1, 3))
    return {name: _schema(chance, depth) for name in names}


_KEYWORDS: dict[str, Callable[[Random, int], Any]] = {
    "type": lambda chance, _: chance.sample(_TYPES, chance.randrange(1, 4)),
    "enum": lambda chance, _: chance.sample(VALUES, chance.randrange(1, 5)),
    "const": lambda chance, _: chance.choice(VALUES),
    **dict.fromkeys(_LIMITS, lambda chance, _: chance.randrange(4)),
    **dict.fromkeys(_BOUNDS, lambda chance, _: chance.choice([-1, 0, 0.5, 1, 1.5, 2, 3])),
    "multipleOf": lambda chance, _: chance.choice([1, 2, 3, 6, 0.5]),
    "pattern": lambda chance, _: chance.choice(_FORMS),
    "uniqueItems": lambda chance, _: chance.random() < 0.8,
    "required": lambda chance, _: chance.sample(["a", "b", "ab"], chance.randrange(1, 3)),
    "dependentRequired": lambda chance, _: {"a": [chance.choice(["b", "ab"])]},
    **dict.fromkeys(("properties", "dependentSchemas"), _named),
    "patternProperties": lambda chance, depth: {chance.choice(_FORMS): _schema(chance, depth)},
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _some),
    **dict.fromkeys(
        ("not", "if", "then", "else", "items", "contains", "propertyNames", "additionalProperties",
         "unevaluatedProperties"),
        _schema,
    ),
    "minContains": lambda chance, _: chance.randrange(3),
    "maxContains": lambda chance, _: chance.randrange(3),
    "$ref": lambda chance, _: chance.choice(["#/$defs/one", "#/$defs/other"]),
}  # fmt: skip
