"""What a schema says beyond its type, in words for documentation."""

from __future__ import annotations

from json import JSONEncoder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.python.sites import Site

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


def description(sites: Iterable[Site]) -> str:
    """Return the first description that any of the sites has, without blanks around it."""
    for site in sites:
        found = site.members.get("description")
        if isinstance(found, str) and found.strip():
            return found.strip()
    return ""


def remark(sites: tuple[Site, ...]) -> str:
    """Return description and constraints of a property, empty where there are none."""
    text = description(sites)
    found = ", ".join(
        dict.fromkeys([text for each in sites for text in _constraints(each.members)])
    )
    if not found:
        return text
    return f"{text} ({found})" if text else found


def open_ended(layers: tuple[Site, ...]) -> str:
    """Return what a TypedDict cannot say of an object's further keys."""
    for layer in layers:
        members = layer.members
        if members.get("patternProperties"):
            return "Further keys that fit a pattern are allowed."
        extra = members.get("additionalProperties")
        if extra is True or isinstance(extra, dict):
            return "Further keys are allowed."
    return ""


def _constraints(schema: JsonObject) -> Iterator[str]:
    for keyword in sorted(_ORDER.keys() & schema.keys(), key=_ORDER.__getitem__):
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
