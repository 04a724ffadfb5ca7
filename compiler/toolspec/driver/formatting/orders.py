"""Canonical order of keys: from the published schema of the language, and one for JSON Schema."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Final

from toolspec.schema.keywords import APPLICATORS, Holds
from toolspec.schema.shipped import read_schema
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

# Identity, description, values by type, composition, use; definitions come last. Unknown keywords
# follow the known ones.
KEYWORDS: Final = (
    *("$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$ref", "$dynamicRef"),
    *("type", "title", "description", "$comment", "enum", "const"),
    *("format", "pattern", "minLength", "maxLength"),
    *("contentMediaType", "contentEncoding", "contentSchema"),
    *("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"),
    *("prefixItems", "items", "additionalItems", "unevaluatedItems"),
    *("contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems"),
    *("properties", "patternProperties", "required", "dependentRequired", "dependentSchemas"),
    *("dependencies", "propertyNames", "minProperties", "maxProperties"),
    *("additionalProperties", "unevaluatedProperties"),
    *("allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
    *("default", "examples", "deprecated", "readOnly", "writeOnly", "$defs", "definitions"),
)
_EMBEDDED = frozenset({"jsonSchema", "objectSchema", "schemaKeywords"})
_NAMES = "#/$defs/"
_SERVICE_KEYS = frozenset({"toolspec", "service"})
_PART_KEYS = frozenset({"$defs", "tools"})
_DIALECTS = "//json-schema.org/"

_KINDS = {Holds.ONE: "schema", Holds.LIST: "schema list", Holds.MAP: "schema map"}
# Draft-07 allows a list of schemas under `items`.
_HELD = {key: _KINDS[holds] for key, holds in APPLICATORS.items()}


@dataclass(frozen=True, slots=True)
class Order:
    """Order of one kind of mapping: `rank` of its keys, and the orders of its members.

    Without `rank` the author's order stays. `members` are kinds by key, `others` the kind of any
    other member, `items` that of list items.
    """

    rank: dict[str, int] | None = None
    members: dict[str, str] | None = None
    others: str = ""
    items: str = ""

    def inner(self, key: str) -> Order:
        """Return the order of a member."""
        return order_of((self.members or {}).get(key, self.others))


FREE: Final = Order()


@cache
def order_of(kind: str) -> Order:
    """Return the order of a kind: a pointer into the language's schema, or a kind of schema."""
    match kind:
        case "":
            return FREE
        case "schema":
            return Order(_ranks(KEYWORDS), _HELD)
        case "schema map":
            return Order(others="schema")
        case "schema list":
            return Order(items="schema")
        case _:
            return _described(kind)


def root_order(value: JsonValue) -> Order:
    """Return the order of a whole document: a service, a part, or a schema."""
    if not isinstance(value, dict):
        return FREE
    keys = {key for key in value if not key.startswith("x-")}
    schema = value.get("$schema")
    if keys & _SERVICE_KEYS:
        return order_of("#")
    if isinstance(schema, str) and _DIALECTS in schema:
        return order_of("schema")
    return order_of("#") if keys & _PART_KEYS and keys <= {"$schema", *_PART_KEYS} else FREE


def _described(pointer: str) -> Order:
    """Return the order of the mappings or lists at a pointer of the language's schema."""
    if pointer.removeprefix(_NAMES) in _EMBEDDED:
        return order_of("schema")
    node = _at(pointer)
    if isinstance(target := node.get("$ref"), str):
        return order_of(target)
    names: dict[str, str] = {}
    for at, part in _parts(pointer, node):
        properties = part.get("properties")
        for key in properties if isinstance(properties, dict) else ():
            names.setdefault(key, f"{at}/properties/{_escaped(key)}")
    others = "additionalProperties" if isinstance(node.get("additionalProperties"), dict) else ""
    items = "items" if isinstance(node.get("items"), dict) else ""
    return Order(
        _ranks(names) if names else None,
        names,
        others and f"{pointer}/{others}",
        items and f"{pointer}/{items}",
    )


def _parts(pointer: str, node: JsonObject) -> list[tuple[str, JsonObject]]:
    """Return a schema and its subschemas that apply to the same value."""
    parts = [(pointer, node)]
    several = node.get("allOf")
    for subschema in several if isinstance(several, list) else ():
        then = subschema.get("then", subschema) if isinstance(subschema, dict) else None
        target = then.get("$ref") if isinstance(then, dict) else None
        if isinstance(target, str):
            parts.append((target, _at(target)))
    return parts


def _at(pointer: str) -> JsonObject:
    value: JsonValue = _language()
    for step in pointer.split("/")[1:]:
        assert isinstance(value, dict)
        value = value[step.replace("~1", "/").replace("~0", "~")]
    return value if isinstance(value, dict) else {}


@cache
def _language() -> JsonObject:
    value: JsonObject = json.loads(read_schema("service.v1.schema.json"))
    return value


def _ranks(names: tuple[str, ...] | dict[str, str]) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(names)}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
