"""Documentation texts for schemas: descriptions and constraints that types do not show."""

from __future__ import annotations

from json import JSONEncoder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from toolspec.syntax.nodes import JsonObject, JsonValue

LONGEST_VALUE = 60
_JSON = JSONEncoder(ensure_ascii=False)


def description(schemas: Iterable[JsonObject]) -> str:
    """Return the first description among the schemas, stripped."""
    for schema in schemas:
        found = schema.get("description")
        if isinstance(found, str) and (text := found.strip()):
            return text
    return ""


def remark(schemas: Collection[JsonObject]) -> str:
    """Return description and constraints of some schemas; empty if there are none."""
    text = description(schemas)
    constraints = [text for schema in schemas for text in _constraints(schema)]
    if not constraints:
        return text
    listed = ", ".join(dict.fromkeys(constraints))
    return f"{text} ({listed})" if text else listed


def open_ended(schemas: Iterable[JsonObject]) -> str:
    """Return a sentence about keys beyond the listed ones, which a TypedDict cannot express."""
    for schema in schemas:
        if schema.get("patternProperties"):
            return "Further keys that fit a pattern are allowed."
        extra = schema.get("additionalProperties")
        if extra is True or isinstance(extra, dict):
            return "Further keys are allowed."
    return ""


def _constraints(schema: JsonObject) -> list[str]:
    if _KEYWORDS.isdisjoint(schema):  # as most are
        return []
    keywords = [keyword for keyword in schema if keyword in _KEYWORDS]
    if len(keywords) > 1:
        keywords.sort(key=_TURNS.__getitem__)
    return [text for keyword in keywords if (text := _TEXTS[keyword](schema[keyword]))]


def _short(value: JsonValue) -> str:
    return _cut(str(value) if type(value) is int else _JSON.encode(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _bounded(words: str) -> Callable[[JsonValue], str]:
    return lambda value: "" if isinstance(value, bool) else f"{words} {_short(value)}"


def _named(words: str) -> Callable[[JsonValue], str]:
    """Return a formatter that writes strings unquoted."""
    bounded = _bounded(words)
    return lambda value: f"{words} {_cut(value)}" if isinstance(value, str) else bounded(value)


def _flagged(words: str) -> Callable[[JsonValue], str]:
    return lambda value: words if value is True else ""


def _example(value: JsonValue) -> str:
    return f"for example {_short(value[0])}" if isinstance(value, list) and value else ""


# Text for the value of each keyword, in the order of output.
_TEXTS: dict[str, Callable[[JsonValue], str]] = {
    "minimum": _bounded(">="),
    "exclusiveMinimum": _bounded(">"),
    "maximum": _bounded("<="),
    "exclusiveMaximum": _bounded("<"),
    "multipleOf": _bounded("multiple of"),
    "minLength": _bounded("length >="),
    "maxLength": _bounded("length <="),
    "pattern": _named("pattern"),
    "format": _named("format"),
    "contentEncoding": _named("encoded as"),
    "contentMediaType": _named("content"),
    "minItems": _bounded("items >="),
    "maxItems": _bounded("items <="),
    "minProperties": _bounded("keys >="),
    "maxProperties": _bounded("keys <="),
    "default": lambda value: f"default {_short(value)}",
    "uniqueItems": _flagged("no item twice"),
    "deprecated": _flagged("deprecated"),
    "readOnly": _flagged("read-only"),
    "writeOnly": _flagged("write-only"),
    "examples": _example,
}
_TURNS = {keyword: turn for turn, keyword in enumerate(_TEXTS)}
_KEYWORDS = frozenset(_TEXTS)
