"""Schemas of the language made at random, and values of them."""

from __future__ import annotations

from random import Random
from typing import Any

from jsonschema_rs import Draft202012Validator

NAMES = (
    "id",
    "kind",
    "name",
    "path",
    "url",
    "count",
    "$top",
    "x y",
    "a/b",
    "*",
    "tags",
    "additional",
)
TEXTS = ("a", "b", "card", "cash", "", "long text", "é")
PATTERNS = ("^[a-z]+$", "^a", "b$", "^(card|cash)$", "^(?=a)a", "^[A-Z]{2}$")
FORMATS = ("date-time", "uri", "email", "color", "uuid")
SCALARS = ("string", "integer", "number", "boolean", "null")


class Maker:
    """Makes one self-contained schema of a tool's arguments."""

    def __init__(self, random: Random, depth: int = 3) -> None:
        self.random = random
        self.depth = depth
        count = random.choice((0, 0, 1, 2, 3))
        self.defined = [f"D{number}" for number in range(count)]

    def schema(self) -> dict[str, Any]:
        root = self.object(self.depth, is_root=True)
        if self.defined:
            root["$defs"] = {name: self.definition() for name in self.defined}
        return root

    def definition(self) -> dict[str, Any]:
        # A definition that is no object or array could lead in a circle without a value in between.
        return self.random.choice((self.object, self.object, self.array))(2)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def any(self, depth: int) -> Any:
        random = self.random
        if depth <= 0:
            return self.annotated(self.scalar())
        kinds = (
            *((self.scalar,) * 6),
            *((self.enumeration,) * 2),
            *((lambda: self.object(depth - 1),) * 4),
            *((lambda: self.array(depth - 1),) * 3),
            lambda: self.map(depth - 1),
            lambda: self.tuple(depth - 1),
            lambda: self.union(depth - 1, "anyOf"),
            lambda: self.union(depth - 1, "oneOf"),
            lambda: self.both(depth - 1),
            lambda: self.nullable(depth - 1),
            self.types,
            *((self.reference,) * 2),
            lambda: self.conditional(depth - 1),
            lambda: self.conditioned(depth - 1),
            self.rare,
        )
        made = random.choice(kinds)()
        return self.annotated(made) if isinstance(made, dict) else made

    def annotated(self, made: dict[str, Any]) -> dict[str, Any]:
        return self.add(
            made,
            ("description", 0.25, "What it is."),
            ("title", 0.03, "T"),
            ("default", 0.03, None),
            ("examples", 0.03, ["a"]),
            ("x-own", 0.03, {"a": 1}),
            ("deprecated", 0.03, True),
            ("$comment", 0.03, "c"),
            ("nullable", 0.03, True),
        )

    def add(self, made: dict[str, Any], *words: tuple[Any, ...]) -> dict[str, Any]:
        """Return a schema with some of the words, each with one of its values in a share of cases."""
        for word, share, *choices in words:
            if self.chance(share):
                made[word] = self.random.choice(choices)
        return made

    def scalar(self) -> dict[str, Any]:
        name = self.random.choice(SCALARS[:4])
        if name == "string":
            return self.add(
                {"type": "string"},
                ("minLength", 0.2, 0, 1, 3),
                ("maxLength", 0.2, 3, 9),
                ("pattern", 0.15, *PATTERNS),
                ("format", 0.15, *FORMATS),
                ("contentEncoding", 0.03, "base64"),
            )
        if name == "boolean":
            return {"type": "boolean"}
        return self.add(
            {"type": name},
            ("minimum", 0.2, 0, 1, -5),
            ("maximum", 0.2, 10, 99.5),
            ("exclusiveMinimum", 0.15, 0, -1),
            ("exclusiveMaximum", 0.15, 20, 7.5),
            ("multipleOf", 0.1, 1, 2),
        )

    def enumeration(self) -> dict[str, Any]:
        random = self.random
        values: list[Any] = list(random.sample(TEXTS, random.randint(1, 3)))
        if self.chance(0.3):
            values = random.sample([1, 2, 3.5, None, "a", True], random.randint(1, 4))
        if self.chance(0.3):
            return self.add({"const": values[0]}, ("enum", 0.1, values, values[1:] or ["z"]))
        typed = all(isinstance(each, str) for each in values) and self.chance(0.7)
        return {"type": "string", "enum": values} if typed else {"enum": values}

    def object(self, depth: int, *, is_root: bool = False) -> dict[str, Any]:
        random = self.random
        names = random.sample(NAMES, random.randint(0 if self.chance(0.2) else 1, 4))
        made: dict[str, Any] = {"type": "object"} if is_root or self.chance(0.95) else {}
        if self.chance(0.9):
            made["properties"] = {name: self.any(depth) for name in names}
        else:
            names = []
        needed = [name for name in names if self.chance(0.4)]
        if needed or self.chance(0.03):
            made["required"] = needed or ["undescribed"]
        more: Any = random.choice((False,) * 8 + (True, self.any(depth - 1), self.any(depth - 1)))
        self.add(made, ("additionalProperties", 0.55, more), ("minProperties", 0.03, 1))
        if "additionalProperties" not in made:
            self.add(made, ("unevaluatedProperties", 0.06, False))
        if self.chance(0.04):
            made["patternProperties"] = {"^p_": self.any(depth - 1)}
        return self.add(
            made,
            ("dependentRequired", 0.03, {name: [names[0]] for name in names[1:2]}),
            *self.forms(names, depth),
        )

    def forms(self, names: list[str], depth: int) -> list[tuple[Any, ...]]:
        """Return combinators for an object with some names, one of them in some cases."""
        needs = [{"required": [name]} for name in names[:2]] or [{}]
        inner = (
            [self.object(depth - 1) for _ in range(2)] if depth > 0 and self.chance(0.1) else needs
        )
        word = self.random.choice(("anyOf", "oneOf", "allOf"))
        return [(word, 0.12, inner)]

    def array(self, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {"type": "array"}
        if self.chance(0.93):
            made["items"] = self.any(depth)
        return self.add(
            made,
            ("minItems", 0.15, 0, 1, 2),
            ("maxItems", 0.15, 3),
            ("uniqueItems", 0.1, True),
            *([] if "items" in made else [("unevaluatedItems", 0.5, {"type": "string"})]),
            ("contains", 0.03, {"type": "string"}, {"type": "string", "not": {"const": "b"}}),
        )

    def map(self, depth: int) -> dict[str, Any]:
        made = {"type": "object", "additionalProperties": self.any(depth)}
        if self.chance(0.2):
            made["propertyNames"] = self.random.choice(
                ({"pattern": "^[a-z]+$"}, {"pattern": "^[a-z]", "not": {"const": "key"}})
            )
        if self.chance(0.2):
            made["maxProperties"] = 2
        return made

    def tuple(self, depth: int) -> dict[str, Any]:
        made = {
            "type": "array",
            "prefixItems": [self.any(depth) for _ in range(self.random.randint(1, 3))],
        }
        if self.chance(0.6):
            made["items"] = False
        return made

    def union(self, depth: int, word: str) -> dict[str, Any]:
        if self.chance(0.5):
            forms = [
                {
                    "type": "object",
                    "properties": {"kind": {"const": kind}, "value": self.any(depth)},
                    "required": ["kind"],
                    **({"additionalProperties": False} if self.chance(0.5) else {}),
                }
                for kind in ("card", "cash")
            ]
            return {word: forms}
        return {word: [self.any(depth) for _ in range(self.random.randint(1, 3))]}

    def both(self, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {"allOf": [self.object(depth) for _ in range(2)]}
        if self.defined and self.chance(0.4):
            made["allOf"][0] = self.reference()
        if self.chance(0.3):
            made |= {"type": "object", "properties": {"own": self.any(depth)}}
        return made

    def nullable(self, depth: int) -> dict[str, Any]:
        if self.chance(0.5):
            return {"type": [self.random.choice(SCALARS[:3]), "null"]}
        return {"anyOf": [self.any(depth), {"type": "null"}]}

    def types(self) -> dict[str, Any]:
        made: dict[str, Any] = {"type": self.random.sample(SCALARS, 2)}
        if self.chance(0.3):
            made["minLength"] = 1
        if self.chance(0.3):
            made["minimum"] = 0
        return made

    def reference(self) -> dict[str, Any]:
        if not self.defined:
            return self.scalar()
        made = {"$ref": f"#/$defs/{self.random.choice(self.defined)}"}
        if self.chance(0.2):
            made["description"] = "Beside a reference."
        if self.chance(0.05):
            made["minProperties"] = 1  # type: ignore[assignment]  # plain JSON
        return made

    def conditional(self, depth: int) -> dict[str, Any]:
        made = self.object(depth)
        conditions: tuple[dict[str, Any], ...] = (
            {"not": {"required": ["url"]}},
            {"not": {"not": {"properties": {"id": self.enumeration()}}}},
            {"if": {"required": ["id"]}, "then": {"required": ["name"]}},
            {
                "if": {"not": {"required": ["id"]}},
                "then": {"required": ["name"]},
                "else": {"if": {"required": ["kind"]}, "then": {"required": ["url"]}},
            },
        )
        return {**made, **self.random.choice(conditions)}

    def conditioned(self, depth: int) -> dict[str, Any]:
        """Return an object that conditions may add to, with nothing else beside that."""
        made = self.object(depth)
        if "additionalProperties" not in made and self.chance(0.7):
            made["unevaluatedProperties"] = self.random.choice((False, False, {"type": "string"}))
        added = self.reference() if self.chance(0.3) else self.object(min(depth, 1))
        name = next(iter(made.get("properties", {})), "id")
        if self.chance(0.3):
            return {**made, "dependentSchemas": {name: added}}
        condition = self.random.choice(({"required": [name]}, {"properties": {"id": {"const": 1}}}))
        return {**made, "if": condition, self.random.choice(("then", "else")): added}

    def rare(self) -> Any:
        return self.random.choice(
            (
                *({}, True, {"type": "object"}, {"type": "array"}, {"not": {"const": 1}}),
                *({"type": "object", "properties": {}}, {"anyOf": [{"type": "string"}]}),
            )
        )


class Values:
    """Makes values that a schema is likely to accept."""

    def __init__(self, random: Random, root: dict[str, Any]) -> None:
        self.random = random
        self.root = root

    def value(self, schema: Any, depth: int = 5) -> Any:
        random = self.random
        if not isinstance(schema, dict) or not schema:
            return random.choice((None, 1, "a", True, [], {}))
        if "$ref" in schema:
            return self.value(self._resolved(schema), depth)
        schema = self._conditioned(schema)
        listed = [schema["const"]] if "const" in schema else schema.get("enum")
        if listed:
            return random.choice(listed)
        word = next((word for word in ("anyOf", "oneOf", "allOf") if word in schema), "")
        if word:
            made = {key: each for key, each in schema.items() if key != word}
            for form in schema[word] if word == "allOf" else [random.choice(schema[word])]:
                made = _together(made, self._resolved(form))
            return self.value(made, depth)
        stated = schema.get("type")
        if stated is None:
            words = {"items", "prefixItems"} & schema.keys()
            stated = "array" if words else "object" if _OBJECT & schema.keys() else "string"
        return self._typed(
            random.choice(stated) if isinstance(stated, list) else stated, schema, depth
        )

    def _conditioned(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a schema with what its conditions may add, some of the time."""
        added = [schema[word] for word in ("then", "else") if word in schema]
        for each in (*added, *schema.get("dependentSchemas", {}).values()):
            if self.random.random() < 0.5:
                schema = _together(schema, self._resolved(each))
        return schema

    def _resolved(self, schema: Any) -> Any:
        while isinstance(schema, dict) and "$ref" in schema:
            rest = {key: each for key, each in schema.items() if key != "$ref"}
            name = schema["$ref"].removeprefix("#/$defs/")
            target = self.root if schema["$ref"] == "#" else self.root["$defs"][name]
            schema = _together(rest, target)
        return schema

    def _typed(self, stated: str, schema: dict[str, Any], depth: int) -> Any:
        least = schema.get("minimum", 3)
        scalars: dict[str, tuple[Any, ...]] = {
            "string": (*TEXTS, "aaa", "AB", "abab", "axyz"),
            "integer": (0, 1, 2, 6, -4, least, 20),
            "number": (0, 1, 2.5, 7.5, -0.5, least, 20),
            "boolean": (True, False),
            "null": (None,),
        }
        if stated in scalars:
            return self.random.choice(scalars[stated])
        return self._array(schema, depth) if stated == "array" else self._object(schema, depth)

    def _array(self, schema: dict[str, Any], depth: int) -> Any:
        low, high = schema.get("minItems", 0), schema.get("maxItems", 3)
        length = self.random.randint(low, max(low, min(high, low + 2))) if depth > 0 else low
        locations = schema.get("prefixItems", [])
        if locations and schema.get("items") is False:
            length = min(len(locations), length + 1)
        rest = schema.get("items", {})
        return [
            self.value(locations[at] if at < len(locations) else rest, depth - 1)
            for at in range(length)
        ]

    def _object(self, schema: dict[str, Any], depth: int) -> Any:
        made = {}
        needed = schema.get("required", [])
        for name, each in schema.get("properties", {}).items():
            if name in needed or (depth > 0 and self.random.random() < 0.5):
                made[name] = self.value(each, depth - 1)
        for name in needed:
            if name not in made:
                made[name] = self.value(schema.get("additionalProperties", {}), depth - 1)
        for each in schema.get("patternProperties", {}).values():
            if depth > 0:
                made["p_1"] = self.value(each, depth - 1)
        more = schema.get("additionalProperties")
        if isinstance(more, dict) and depth > 0:
            for name in self.random.sample(("k", "key", "p_1", "id"), self.random.randint(0, 2)):
                if name not in schema.get("properties", {}):
                    made[name] = self.value(more, depth - 1)
        return made


_OBJECT = frozenset({"properties", "required", "additionalProperties"})


def _together(one: Any, other: Any) -> Any:
    """Return roughly both schemas in one: values are checked afterwards."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return one if isinstance(one, dict) and one else other
    made = {**one, **other}
    for word in ("properties", "$defs"):
        if word in one and word in other:
            made[word] = {**one[word], **other[word]}
    if "required" in one and "required" in other:
        made["required"] = list(dict.fromkeys([*one["required"], *other["required"]]))
    return made


def values(random: Random, schema: dict[str, Any], count: int = 12) -> list[Any]:
    """Return values that a schema accepts, as far as some were found."""
    validator = Draft202012Validator(schema)
    maker = Values(random, schema)
    try:
        made = [maker.value(schema) for _ in range(count)]
    except RecursionError:
        return []
    return [each for each in made if validator.is_valid(each)]
