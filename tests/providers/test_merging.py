"""Conjunctions: two schemas as one, keyword by keyword."""

from __future__ import annotations

from typing import Any

import pytest
from toolspec.providers.keyword_merging import UnmergeableError
from toolspec.providers.ledger import Outcome
from toolspec.providers.merging import merge
from toolspec.providers.node import read, write

Schema = dict[str, Any] | bool

A, B = {"type": "string"}, {"type": "integer"}
TEN = [{"type": "string", "minLength": length} for length in range(5)]

MERGED: list[tuple[Schema, Schema, Schema]] = [
    # Types and values.
    ({"type": ["number", "null"]}, {"type": ["integer", "string"]}, {"type": "integer"}),
    ({"type": ["integer", "null"]}, {"type": ["null", "number"]}, {"type": ["integer", "null"]}),
    (A, B, False),
    ({"enum": [1, 2, "a"]}, {"enum": ["a", 2]}, {"enum": [2, "a"]}),
    ({"enum": [1]}, {"enum": [2]}, False),
    ({"const": 1}, {"const": 1}, {"const": 1}),
    ({"const": 1}, {"const": 2}, False),
    ({"const": "a"}, {"type": "integer"}, False),
    ({"const": 2}, {"type": "number"}, {"const": 2, "type": "number"}),
    # Numbers.
    (
        {"minimum": 1, "exclusiveMaximum": 9},
        {"minimum": 3, "exclusiveMaximum": 5},
        {"minimum": 3, "exclusiveMaximum": 5},
    ),
    ({"multipleOf": 4}, {"multipleOf": 6}, {"multipleOf": 12}),
    # Texts and annotations: what the first states takes precedence.
    ({"pattern": "^a"}, {"pattern": "b$"}, {"pattern": "^a"}),
    ({"title": "One"}, {"title": "Other"}, {"title": "One"}),
    # Objects.
    (
        {"type": "object", "required": ["a"]},
        {"required": ["b", "a"]},
        {"type": "object", "required": ["a", "b"]},
    ),
    (
        {"dependentRequired": {"a": ["b"], "c": ["d"]}},
        {"dependentRequired": {"a": ["e", "b"], "f": ["a"]}},
        {"dependentRequired": {"a": ["b", "e"], "c": ["d"], "f": ["a"]}},
    ),
    (
        {"properties": {"a": A}, "additionalProperties": B},
        {"properties": {"b": {"minimum": 1}}},
        {"properties": {"a": A, "b": {**B, "minimum": 1}}, "additionalProperties": B},
    ),
    (
        {"type": "object", "properties": {"a": A}, "required": ["a"]},
        {"properties": {"a": B}},
        False,
    ),
    (
        {"patternProperties": {"^x": A, "^y": B}},
        {"patternProperties": {"^x": {"minLength": 1}, "^z": A}},
        {"patternProperties": {"^x": {**A, "minLength": 1}, "^y": B, "^z": A}},
    ),
    (
        {"propertyNames": {"minLength": 1}},
        {"propertyNames": {"maxLength": 9}},
        {"propertyNames": {"minLength": 1, "maxLength": 9}},
    ),
    (
        {"$defs": {"A": A}, "title": "t"},
        {"$defs": {"B": B}},
        {"$defs": {"A": A, "B": B}, "title": "t"},
    ),
    # Arrays.
    ({"uniqueItems": False}, {"uniqueItems": True}, {"uniqueItems": True}),
    (
        {"prefixItems": [A], "items": B},
        {"prefixItems": [{"minLength": 1}, {"minimum": 2}]},
        {"prefixItems": [{**A, "minLength": 1}, {**B, "minimum": 2}], "items": B},
    ),
    # Choices.
    ({"allOf": [A]}, {"allOf": [{"minLength": 1}]}, {"allOf": [A, {"minLength": 1}]}),
    ({"not": A}, {"not": B}, {"not": {"anyOf": [A, B]}}),
    (
        {"anyOf": [A, B]},
        {"anyOf": [{"minLength": 1, **A}, {"type": "null"}]},
        {"anyOf": [{**A, "minLength": 1}]},
    ),
    ({"anyOf": [A]}, {"anyOf": [B]}, False),
    # Trivial ones.
    (True, A, A),
    (A, True, A),
    (False, A, False),
]

UNMERGEABLE: list[tuple[Schema, Schema, str]] = [
    ({"multipleOf": 0.5}, {"multipleOf": 2}, "`multipleOf` of two numbers that are not whole"),
    ({"if": A}, {"then": B}, "`then` in two of the schemas"),
    ({"contains": A}, {"maxContains": 2}, "`maxContains` in two of the schemas"),
    ({"oneOf": [A]}, {"oneOf": [B]}, "`oneOf` in two of the schemas"),
    ({"unevaluatedItems": False}, A, "`unevaluatedProperties`, which sees its own schema only"),
    (
        {"additionalProperties": False},
        {"patternProperties": {"^x": A}},
        "`patternProperties` beside `additionalProperties`",
    ),
    ({"anyOf": TEN}, {"anyOf": TEN}, "two `anyOf` with too many combinations"),
    ({"$ref": "#/$defs/A"}, {"minLength": 1}, "a recursive reference"),
]


@pytest.mark.parametrize(("first", "second", "expected"), MERGED)
def test_two_schemas_as_one(first: Schema, second: Schema, expected: Schema) -> None:
    assert write(merge(read(first), read(second), [])) == expected


@pytest.mark.parametrize(("first", "second", "reason"), UNMERGEABLE)
def test_no_single_schema_expresses_both(first: Schema, second: Schema, reason: str) -> None:
    with pytest.raises(UnmergeableError) as raised:
        merge(read(first), read(second), [])
    assert str(raised.value) == reason


def test_the_ledger_names_what_is_lost() -> None:
    ledger: list[Any] = []
    first, second = (
        read({"format": "date", "title": "One"}),
        read({"format": "time", "title": "Two"}),
    )
    merge(first, second, ledger)
    assert [each.outcome for each in ledger] == [Outcome.MOVED, Outcome.DROPPED]
