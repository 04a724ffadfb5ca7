"""Sentences for the constraints of a schema, besides its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.docs.markup import Markup

    _Condition = tuple[tuple[str, ...], Callable[[JsonObject, Markup], str]]


def is_secret(schema: JsonObject) -> bool:
    """Return whether a value is secret: a password, or one that is never read back."""
    return schema.get("format") == "password" or schema.get("writeOnly") is True


def sentences(schema: JsonObject, markup: Markup) -> list[str]:
    """Return the constraints of a value on one line, one sentence each."""
    keywords = _TURNS.keys() & schema
    if not keywords:
        return []
    turns = sorted({_TURNS[keyword] for keyword in keywords})
    return [sentence for turn in turns if (sentence := _CONDITIONS[turn][1](schema, markup))]


def _value(schema: JsonObject, markup: Markup) -> str:
    if "const" in schema:
        return f"Always {markup.json(schema['const'])}."
    values = schema["enum"]
    return f"One of {', '.join(map(markup.json, values))}." if isinstance(values, list) else ""


def _number(schema: JsonObject, markup: Markup) -> str:
    bounds = [
        f"{words} {markup.json(schema[keyword])}" for keyword, words in _BOUNDS if keyword in schema
    ]
    joined = ", ".join(bounds)
    return f"{joined[:1].upper()}{joined[1:]}."


def _sized(low: str, high: str, unit: str) -> _Condition:
    return (low, high), lambda schema, markup: _size(
        schema.get(low), schema.get(high), unit, markup
    )


def _quoted(keyword: str, words: str) -> _Condition:
    def say(schema: JsonObject, markup: Markup) -> str:
        value = schema[keyword]
        return f"{words} {markup.code(value)}." if isinstance(value, str) else ""

    return (keyword,), say


def _flagged(keyword: str, words: str) -> _Condition:
    return (keyword,), lambda schema, _: words if schema[keyword] is True else ""


def _size(least: JsonValue, most: JsonValue, unit: str, markup: Markup) -> str:
    if least == most and least is not None:
        return f"Exactly {_count(least, unit, markup)}."
    if least and most is not None:
        return f"{markup.json(least)} to {_count(most, unit, markup)}."
    if least:
        return f"At least {_count(least, unit, markup)}."
    return "" if most is None else f"At most {_count(most, unit, markup)}."


def _count(number: JsonValue, unit: str, markup: Markup) -> str:
    return f"{markup.json(number)} {unit}{'' if number == 1 else 's'}"


def _examples(schema: JsonObject, markup: Markup) -> str:
    examples = schema["examples"]
    if isinstance(examples, list) and examples:
        return f"For example {', '.join(map(markup.json, examples))}."
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
    (("format", "writeOnly"), lambda schema, _: "Secret." if is_secret(schema) else ""),
    _flagged("readOnly", "Set by the service."),
    _flagged("deprecated", "Deprecated."),
    (("examples",), _examples),
)
_TURNS = {keyword: turn for turn, (keywords, _) in enumerate(_CONDITIONS) for keyword in keywords}
