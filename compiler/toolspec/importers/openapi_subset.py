"""Schemas of Gemini's older endpoints, a part of OpenAPI 3.0, rewritten as JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.keywords import APPLICATORS, Holds

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

# Members in the spelling of the Python SDK, and those that JSON Schema has under another name.
_WORDS = {
    "any_of": "anyOf",
    "max_items": "maxItems",
    "min_items": "minItems",
    "max_length": "maxLength",
    "min_length": "minLength",
    "max_properties": "maxProperties",
    "min_properties": "minProperties",
    "additional_properties": "additionalProperties",
    "defs": "$defs",
    "ref": "$ref",
}
# Integers of 64 bits are texts in the JSON form of the API.
_COUNTS = frozenset(
    {"maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties"}
)
_MOST_DIGITS = 19  # of a 64-bit integer
_NO_MEANING = frozenset({"propertyOrdering", "property_ordering", "nullable", "example"})

_NO_EFFECT = (("format", "enum"), ("type", "TYPE_UNSPECIFIED"))


def json_schema(node: JsonValue) -> JsonValue:
    """Return a schema in the form of JSON Schema 2020-12, with the same valid values."""
    if not isinstance(node, dict):
        return node
    schema: JsonObject = {}
    for key, value in node.items():
        word = _WORDS.get(key, key)
        holds = APPLICATORS.get(word)
        if holds is Holds.MAP and isinstance(value, dict):
            schema[word] = {name: json_schema(item) for name, item in value.items()}
        elif holds is not None and isinstance(value, list):
            schema[word] = [json_schema(item) for item in value]
        elif holds is not None:
            schema[word] = json_schema(value)
        elif key not in _NO_MEANING and (word, value) not in _NO_EFFECT:
            schema[word] = _plain(word, value)
    if "example" in node:
        schema["examples"] = [node["example"]]
    return _with_null(schema) if node.get("nullable") is True else schema


def _plain(word: str, value: JsonValue) -> JsonValue:
    """Return the value of a keyword that contains no schemas."""
    if not isinstance(value, str):
        return value
    if word == "type":
        return value.lower()
    if word == "$ref":
        return value.replace("#/defs/", "#/$defs/", 1)
    is_count = word in _COUNTS and value.isdecimal() and len(value) <= _MOST_DIGITS
    return int(value) if is_count else value


def _with_null(schema: JsonObject) -> JsonObject:
    """Return a schema that accepts null too."""
    options, kind, values = schema.get("anyOf"), schema.get("type"), schema.get("enum")
    if isinstance(options, list):
        schema["anyOf"] = [*options, {"type": "null"}]
    if isinstance(kind, str):
        schema["type"] = [kind, "null"]
    if isinstance(values, list) and None not in values:
        schema["enum"] = [*values, None]
    return schema
