"""Schema access for samples: resolved references and merged schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import unquote

from toolspec.shared.references import item_index

if TYPE_CHECKING:
    from random import Random

    from toolspec.shared.json_values import JsonObject, JsonValue

_OBJECT = ("properties", "required", "additionalProperties", "minProperties", "patternProperties",
           "dependentRequired", "propertyNames", "maxProperties", "unevaluatedProperties")  # fmt: skip
_ARRAY = ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")
_STRING = ("pattern", "minLength", "maxLength", "format")
_NUMBER = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_IMPLIED = (("object", _OBJECT), ("array", _ARRAY), ("string", _STRING), ("number", _NUMBER))
_GREATEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_LEAST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_MAPS = ("properties", "patternProperties")
_SIMPLE_FIRST = ("null", "boolean", "integer", "number", "string", "array", "object")


class Schemas:
    """A root schema and its reference targets: by pointer, by `$anchor`, by `$id`."""

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        self._known: dict[str, JsonValue] | None = None

    @property
    def _named(self) -> dict[str, JsonValue]:
        """Targets by name, for the first reference; most schemas have none."""
        if self._known is None:
            self._known = {}
            self._index(self._root, self._known)
        return self._known

    def referenced(self, reference: str) -> JsonValue:
        """Return the target of a reference, or False."""
        if reference in self._named:
            return self._named[reference]
        before, _, fragment = reference.partition("#")
        root = self._named.get(before, self._root) if before else self._root
        if not fragment.startswith("/"):
            return root if not fragment else self._named.get(f"#{fragment}", False)
        target = root
        for step in fragment[1:].split("/"):
            target = _member(target, unquote(step).replace("~1", "/").replace("~0", "~"))
        return target

    def alone(self, schema: JsonObject) -> str:
        """Return a subschema as self-contained JSON text, with the definitions of the root."""
        if not isinstance(self._root, dict) or schema is self._root:
            return json.dumps(schema)
        if "#/$defs/" not in json.dumps(schema) and "$ref" not in json.dumps(schema):
            return json.dumps(schema)
        definitions = self._root.get("$defs", {})
        return json.dumps({**schema, "$defs": definitions})

    def _index(self, part: JsonValue, named: dict[str, JsonValue]) -> None:
        if isinstance(part, list):
            for child in part:
                self._index(child, named)
        elif isinstance(part, dict):
            for keyword, prefix in (("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", "")):
                name = part.get(keyword)
                if isinstance(name, str):
                    named.setdefault(prefix + name, part)
            for child in part.values():
                self._index(child, named)


def _member(value: JsonValue, step: str) -> JsonValue:
    if isinstance(value, dict):
        return value.get(step, False)
    if isinstance(value, list) and (index := item_index(step, value)) is not None:
        return value[index]
    return False


def declared_type(schema: JsonObject, chance: Random, *, shallow: bool) -> str:
    """Return the type of value to generate: the declared one, or one implied by keywords."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind
    if isinstance(kind, list) and kind:
        kinds = [name for name in kind if isinstance(name, str)]
        if shallow:
            return min(kinds, key=_SIMPLE_FIRST.index)
        return chance.choice([name for name in kinds if name != "null"] or kinds)
    for name, keywords in _IMPLIED:
        if any(keyword in schema for keyword in keywords):
            return name
    return "string"


def merged(one: JsonObject, other: JsonObject) -> JsonObject:
    """Return a schema that requires both, merging keywords where possible."""
    result = dict(one)
    for keyword, value in other.items():
        result[keyword] = _both(keyword, result[keyword], value) if keyword in result else value
    return result


def _both(keyword: str, one: JsonValue, other: JsonValue) -> JsonValue:
    if keyword == "type":
        return _common_type(one, other)
    if keyword in ("items", "contains", "additionalProperties", "propertyNames"):
        return False if False in (one, other) else {"allOf": [one, other]}
    if isinstance(one, dict) and isinstance(other, dict):
        return _joined(one, other) if keyword in _MAPS else one
    if isinstance(one, list) and isinstance(other, list):
        common = [item for item in one if item in other] if keyword == "enum" else []
        return common or one + [item for item in other if item not in one]
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return _bound(keyword, one, other)
    return one


def _joined(one: JsonObject, other: JsonObject) -> JsonObject:
    result = {**one, **other}
    for name in one.keys() & other.keys():
        result[name] = {"allOf": [one[name], other[name]]}
    return result


def _common_type(one: JsonValue, other: JsonValue) -> JsonValue:
    first = one if isinstance(one, list) else [one]
    second = other if isinstance(other, list) else [other]
    common: list[JsonValue] = [type_ for type_ in first if type_ in second]
    if not common and "integer" in (*first, *second) and "number" in (*first, *second):
        return "integer"
    if not common:
        return one
    return common[0] if len(common) == 1 else common


def _bound(keyword: str, one: float, other: float) -> JsonValue:
    if keyword in _GREATEST:
        return max(one, other)
    if keyword in _LEAST:
        return min(one, other)
    if keyword == "multipleOf" and float(one).is_integer() and float(other).is_integer():
        import math

        return math.lcm(int(one), int(other))
    return one or other
