"""What a schema says beyond its type, in words for documentation."""

from __future__ import annotations

from json import JSONEncoder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue

_BOUNDS = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "maximum": "<= {}",
    "exclusiveMaximum": "< {}",
    "multipleOf": "multiple of {}",
    "minLength": "length >= {}",
    "maxLength": "length <= {}",
    "pattern": "pattern {}",
    "format": "format {}",
    "contentEncoding": "encoded as {}",
    "contentMediaType": "content {}",
    "minItems": "items >= {}",
    "maxItems": "items <= {}",
    "minProperties": "keys >= {}",
    "maxProperties": "keys <= {}",
}
_FLAGS = {
    "uniqueItems": "no item twice",
    "deprecated": "deprecated",
    "readOnly": "read-only",
    "writeOnly": "write-only",
}
# In what order they are told.
_ORDER = {word: number for number, word in enumerate((*_BOUNDS, "default", *_FLAGS, "examples"))}
LONGEST_VALUE = 60
_JSON = JSONEncoder(ensure_ascii=False)
_PLAIN = frozenset({"pattern", "format", "contentEncoding", "contentMediaType"})


def description(schemas: Iterable[JsonObject]) -> str:
    """Return the first description that any of the schemas has, without blanks around it."""
    for schema in schemas:
        found = schema.get("description")
        if isinstance(found, str) and found.strip():
            return found.strip()
    return ""


def remark(schemas: Collection[JsonObject]) -> str:
    """Return description and constraints of what some schemas describe, empty where none does."""
    text = description(schemas)
    told = [each for schema in schemas for each in _constraints(schema)]
    if not told:
        return text
    found = ", ".join(dict.fromkeys(told))
    return f"{text} ({found})" if text else found


def open_ended(schemas: Iterable[JsonObject]) -> str:
    """Return what a TypedDict cannot say of an object's further keys."""
    for schema in schemas:
        if schema.get("patternProperties"):
            return "Further keys that fit a pattern are allowed."
        extra = schema.get("additionalProperties")
        if extra is True or isinstance(extra, dict):
            return "Further keys are allowed."
    return ""


def _constraints(schema: JsonObject) -> Iterator[str]:
    for keyword in sorted([each for each in schema if each in _ORDER], key=_ORDER.__getitem__):
        value = schema[keyword]
        if keyword in _BOUNDS:
            if not isinstance(value, bool):
                yield _BOUNDS[keyword].format(_short(value, plain=keyword in _PLAIN))
        elif keyword == "default":
            yield f"default {_short(value)}"
        elif keyword == "examples":
            if isinstance(value, list) and value:
                yield f"for example {_short(value[0])}"
        elif value is True:
            yield _FLAGS[keyword]


def _short(value: JsonValue, *, plain: bool = False) -> str:
    if type(value) is int:
        text = str(value)
    else:
        text = value if plain and isinstance(value, str) else _JSON.encode(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
