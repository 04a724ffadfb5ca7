"""What a schema asks of a value beside its type, in short sentences."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import code

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def compact(value: JsonValue) -> str:
    """Return a JSON value as inline code."""
    return code(dumps(value, ensure_ascii=False))


def is_secret(schema: JsonObject) -> bool:
    """Whether a value is to be kept out of sight: a password, or one that is never read back."""
    return schema.get("format") == "password" or schema.get("writeOnly") is True


def sentences(schema: JsonObject) -> list[str]:
    """Return the conditions of one value as Markdown for a cell, each one sentence."""
    said = [*_values(schema), *_numbers(schema), *_sizes(schema)]
    if isinstance(pattern := schema.get("pattern"), str):
        said.append(f"Pattern: {code(pattern)}.")
    if isinstance(encoding := schema.get("contentEncoding"), str):
        said.append(f"Encoded as {code(encoding)}.")
    if isinstance(media := schema.get("contentMediaType"), str):
        said.append(f"Holds {code(media)}.")
    if schema.get("uniqueItems") is True:
        said.append("No item twice.")
    if is_secret(schema):
        said.append("Secret.")
    if schema.get("readOnly") is True:
        said.append("Set by the service.")
    if schema.get("deprecated") is True:
        said.append("Deprecated.")
    return [*said, *_examples(schema)]


def _values(schema: JsonObject) -> list[str]:
    if "const" in schema:
        return [f"Always {compact(schema['const'])}."]
    values = schema.get("enum")
    if isinstance(values, list):
        return [f"One of {', '.join(map(compact, values))}."]
    return []


def _numbers(schema: JsonObject) -> list[str]:
    bounds = [
        f"{words} {compact(schema[keyword])}"
        for keyword, words in (
            ("minimum", "at least"),
            ("exclusiveMinimum", "more than"),
            ("maximum", "at most"),
            ("exclusiveMaximum", "less than"),
            ("multipleOf", "a multiple of"),
        )
        if keyword in schema
    ]
    return [f"{', '.join(bounds).capitalize()}."] if bounds else []


def _sizes(schema: JsonObject) -> list[str]:
    said = []
    for low, high, unit in (
        ("minLength", "maxLength", "character"),
        ("minItems", "maxItems", "item"),
        ("minProperties", "maxProperties", "member"),
    ):
        least, most = schema.get(low), schema.get(high)
        if words := _size(least, most, unit):
            said.append(words)
    return said


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


def _examples(schema: JsonObject) -> list[str]:
    examples = schema.get("examples")
    if isinstance(examples, list) and examples:
        return [f"For example {', '.join(map(compact, examples))}."]
    return []
