"""Sentences for the constraints of a schema, besides its type."""

from __future__ import annotations

from json import JSONEncoder
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import code

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.syntax.nodes import JsonObject, JsonValue

    _Condition = tuple[tuple[str, ...], Callable[[JsonObject], str]]


_encode = JSONEncoder(ensure_ascii=False).encode


def compact(value: JsonValue) -> str:
    """Return a JSON value as inline code."""
    # A fast path: for a number alone the encoder would be set up anew.
    return f"`{value}`" if type(value) is int else code(_encode(value))


def is_secret(schema: JsonObject) -> bool:
    """Return whether a value is secret: a password, or one that is never read back."""
    return schema.get("format") == "password" or schema.get("writeOnly") is True


def sentences(schema: JsonObject) -> list[str]:
    """Return the constraints of a value as Markdown for a table cell, one sentence each."""
    keywords = _TURNS.keys() & schema
    if not keywords:
        return []
    turns = sorted({_TURNS[keyword] for keyword in keywords})
    return [sentence for turn in turns if (sentence := _CONDITIONS[turn][1](schema))]


def _value(schema: JsonObject) -> str:
    if "const" in schema:
        return f"Always {compact(schema['const'])}."
    values = schema["enum"]
    return f"One of {', '.join(map(compact, values))}." if isinstance(values, list) else ""


def _number(schema: JsonObject) -> str:
    bounds = [
        f"{words} {compact(schema[keyword])}" for keyword, words in _BOUNDS if keyword in schema
    ]
    return f"{', '.join(bounds).capitalize()}."


def _sized(low: str, high: str, unit: str) -> _Condition:
    return (low, high), lambda schema: _size(schema.get(low), schema.get(high), unit)


def _quoted(keyword: str, words: str) -> _Condition:
    def say(schema: JsonObject) -> str:
        value = schema[keyword]
        return f"{words} {code(value)}." if isinstance(value, str) else ""

    return (keyword,), say


def _flagged(keyword: str, words: str) -> _Condition:
    return (keyword,), lambda schema: words if schema[keyword] is True else ""


def _size(least: JsonValue, most: JsonValue, unit: str) -> str:
    if least == most and least is not None:
        return f"Exactly {_count(least, unit)}."
    if least and most is not None:
        return f"{compact(least)} to {_count(most, unit)}."
    if least:
        return f"At least {_count(least, unit)}."
    return "" if most is None else f"At most {_count(most, unit)}."


def _count(number: JsonValue, unit: str) -> str:
    return f"{compact(number)} {unit}{'' if number == 1 else 's'}"


def _examples(schema: JsonObject) -> str:
    examples = schema["examples"]
    if isinstance(examples, list) and examples:
        return f"For example {', '.join(map(compact, examples))}."
    return ""


_BOUNDS = (
    ("minimum", "at least"),
    ("exclusiveMinimum", "more than"),
    ("maximum", "at most"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "a multiple of"),
)
# Keywords of each constraint with its sentence, in the order of output.
_CONDITIONS: tuple[_Condition, ...] = (
    (("const", "enum"), _value),
    (tuple(keyword for keyword, _ in _BOUNDS), _number),
    _sized("minLength", "maxLength", "character"),
    _sized("minItems", "maxItems", "item"),
    _sized("minProperties", "maxProperties", "member"),
    _quoted("pattern", "Pattern:"),
    _quoted("contentEncoding", "Encoded as"),
    _quoted("contentMediaType", "Content type"),
    _flagged("uniqueItems", "No duplicate items."),
    (("format", "writeOnly"), lambda schema: "Secret." if is_secret(schema) else ""),
    _flagged("readOnly", "Set by the service."),
    _flagged("deprecated", "Deprecated."),
    (("examples",), _examples),
)
_TURNS = {keyword: turn for turn, (keywords, _) in enumerate(_CONDITIONS) for keyword in keywords}
