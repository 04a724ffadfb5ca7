from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema_rs import Draft7Validator
from schema_probe import bundle, told
from toolspec.schema.conversion import convert
from toolspec.schema.dialect import Dialect, read_dialect
from toolspec.schema.scope import outline

if TYPE_CHECKING:
    from toolspec.schema.conversion import Conversion
    from toolspec.syntax.nodes import JsonValue

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def converted(value: JsonValue, dialect: Dialect = Dialect.DRAFT_07) -> Conversion:
    return convert(value, outline(value, dialect), dialect)


@pytest.mark.parametrize(
    ("declared", "dialect"),
    [
        ("https://json-schema.org/draft/2020-12/schema", Dialect.DRAFT_2020_12),
        ("https://json-schema.org/draft/2020-12/schema#", Dialect.DRAFT_2020_12),
        ("http://json-schema.org/draft/2020-12/schema", Dialect.DRAFT_2020_12),
        (DRAFT_07, Dialect.DRAFT_07),
        ("https://json-schema.org/draft-07/schema", Dialect.DRAFT_07),
        ("http://json-schema.org/draft-04/schema#", Dialect.DRAFT_04),
        ("http://json-schema.org/draft-06/schema", Dialect.DRAFT_06),
        ("https://json-schema.org/draft/2019-09/schema", Dialect.DRAFT_2019_09),
        ("http://json-schema.org/draft-03/schema#", None),
        ("ftp://json-schema.org/draft-07/schema", None),
        ("", None),
        (7, None),
    ],
)
def test_dialects(declared: JsonValue, dialect: Dialect | None) -> None:
    assert read_dialect(declared) is dialect


def test_what_does_not_differ_stays_the_same_object() -> None:
    value: JsonValue = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert converted(value).value is value
    assert converted(value, Dialect.DRAFT_2020_12).value is value


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"$schema": DRAFT_07, "type": "string"}, {"type": "string"}),
        ({"items": [{}, True]}, {"prefixItems": [{}, True]}),
        (
            {"items": [{}], "additionalItems": False},
            {"prefixItems": [{}], "items": False},
        ),
        ({"items": {}, "additionalItems": False}, {"items": {}}),
        ({"additionalItems": False}, {}),
        (
            {"dependencies": {"a": ["b"], "c": {"required": ["d"]}, "e": False}},
            {
                "dependentRequired": {"a": ["b"]},
                "dependentSchemas": {"c": {"required": ["d"]}, "e": False},
            },
        ),
        (
            {"$ref": "#/definitions/a", "minLength": 3, "title": "T"},
            {"$ref": "#/definitions/a", "title": "T"},
        ),
        ({"definitions": {"a": {"items": [{}]}}}, {"$defs": {"a": {"prefixItems": [{}]}}}),
        ({"prefixItems": [{}], "minContains": 2, "unevaluatedProperties": False}, {}),
        ({"default": {"items": [1]}, "enum": [{"definitions": 1}]}, None),
        ({"properties": {"definitions": {"type": "string"}, "items": {}}}, None),
    ],
)
def test_draft_07_in_the_words_of_2020_12(old: JsonValue, new: JsonValue) -> None:
    before = repr(old)
    assert converted(old).value == (old if new is None else new)
    assert repr(old) == before


def test_a_path_leads_back_to_what_was_written() -> None:
    value: JsonValue = {
        "definitions": {"a": {"items": [{"type": "string"}], "additionalItems": {"type": "null"}}},
        "dependencies": {"x": ["y"], "z": {"items": [True]}},
    }
    conversion = converted(value)
    moved = {
        ("$defs", "a", "prefixItems", 0, "type"): ("definitions", "a", "items", 0, "type"),
        ("$defs", "a", "items", "type"): ("definitions", "a", "additionalItems", "type"),
        ("dependentRequired", "x"): ("dependencies", "x"),
        ("dependentSchemas", "z", "prefixItems", 0): ("dependencies", "z", "items", 0),
        ("properties", "q"): ("properties", "q"),
    }
    assert {new: conversion.original_path(new) for new in moved} == moved
    assert {conversion.converted_path(old): old for old in moved.values()} == moved


def test_references_to_definitions_keep_working() -> None:
    schema: JsonValue = {
        "$schema": DRAFT_07,
        "definitions": {
            "Name": {"type": "string"},
            "Pair": {"items": [{"$ref": "#/definitions/Name"}]},
        },
        "properties": {
            "a": {"$ref": "#/definitions/Name"},
            "b": {"$ref": "#/definitions/Pair/items/0"},
        },
    }
    value = bundle(schema).value
    assert isinstance(value, dict)
    assert value["properties"] == {
        "a": {"$ref": "#/$defs/Name"},
        "b": {"$ref": "#/$defs/Pair/prefixItems/0"},
    }
    assert not Draft202012Validator(value).is_valid({"b": 3})


def test_definitions_beside_defs_stay_where_they_are() -> None:
    schema: JsonValue = {
        "definitions": {"a": True},
        "$defs": {"a": False},
        "$ref": "#/definitions/a",
    }
    assert bundle(schema).value == schema


def test_an_unknown_dialect_is_named_wherever_it_stands() -> None:
    assert told({"$schema": "https://example.com/mine"}) == [("schema/unknown-dialect", "/$schema")]
    nested: JsonValue = {"properties": {"a": {"$schema": "http://127.0.0.1/meta.json"}}}
    assert told(nested) == [("schema/unknown-dialect", "/properties/a/$schema")]
    known: JsonValue = {"properties": {"a": {"$schema": DRAFT_07, "type": "string"}}}
    assert told(known) == []


def test_a_keyword_that_draft_07_ignores_is_a_warning() -> None:
    assert told({"$schema": DRAFT_07, "prefixItems": [{"type": "string"}]}) == [
        ("schema/ignored-keyword", "/prefixItems")
    ]


NAMES = st.sampled_from(["a", "b", "c"])
INSTANCES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "bb"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
LEAVES = st.sampled_from(
    [
        True,
        False,
        {},
        {"type": "string"},
        {"type": ["integer", "null"]},
        {"minimum": 1},
        {"enum": ["a", 1, None]},
        {"$ref": "#/definitions/leaf"},
        {"$ref": "#/definitions/leaf", "type": "null"},
        {"minContains": 2},
        {"prefixItems": [False]},
    ]
)


def _objects(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    schemas = st.lists(inner, min_size=1, max_size=2)
    names = st.lists(NAMES, max_size=2, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "items": inner | schemas,
            "additionalItems": inner,
            "dependencies": st.dictionaries(NAMES, inner | names, max_size=2),
            "properties": st.dictionaries(NAMES, inner, max_size=2),
            "additionalProperties": inner,
            "anyOf": schemas,
            "allOf": schemas,
            "not": inner,
            "contains": inner,
            "if": inner,
            "then": inner,
            "required": names,
        },
    )


SCHEMAS = st.recursive(LEAVES, _objects, max_leaves=6)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(schema=SCHEMAS, instances=st.lists(INSTANCES, min_size=1, max_size=8))
def test_the_converted_schema_accepts_the_same_values(
    schema: JsonValue, instances: list[JsonValue]
) -> None:
    root: JsonValue = {
        "$schema": DRAFT_07,
        "allOf": [schema],
        "definitions": {"leaf": {"items": [{"type": "integer"}], "minLength": 1}},
    }
    new = bundle(root).value
    Draft202012Validator.check_schema(new)
    old = Draft7Validator(root, offline=True)
    old_verdicts = [old.is_valid(each) for each in instances]
    assert [Draft202012Validator(new).is_valid(each) for each in instances] == old_verdicts
