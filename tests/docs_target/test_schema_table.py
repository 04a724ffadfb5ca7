"""A schema as a table: types in words, dotted rows, conditions, and an end to recursion."""

from __future__ import annotations

import pytest
from made_programs import REPOSITORY, USER
from toolspec.syntax.nodes import JsonObject, JsonValue
from toolspec.targets.docs.constraints import sentences
from toolspec.targets.docs.markup import MARKDOWN
from toolspec.targets.docs.schema_table import schema_table
from toolspec.targets.docs.type_words import Page, type_words


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (True, "anything"),
        ({}, "anything"),
        (False, "nothing"),
        ({"type": "string"}, "string"),
        ({"type": ["integer", "null"]}, "integer or null"),
        ({"type": "string", "format": "uri"}, "string (`uri`)"),
        ({"enum": ["a", 1, None]}, "string or integer or null"),
        ({"const": 1.5}, "number"),
        ({"type": "array"}, "array"),
        ({"type": "array", "items": {"type": "string"}}, "array of string"),
        ({"items": {"type": ["string", "null"]}}, "array of (string or null)"),
        ({"prefixItems": [{"type": "string"}, {"type": "integer"}]}, "tuple of string, integer"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "map of integer"),
        ({"type": "object", "properties": {"a": True}}, "object"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"type": "object", "oneOf": [{"required": ["a"]}]}, "object"),
        ({"$ref": "#/$defs/User", "$defs": {"User": USER}}, "`User`"),
        ({"$ref": "#/$defs/S", "$defs": {"S": {"type": "string"}}}, "string"),
        ({"allOf": [{"type": "integer"}, {"minimum": 1}]}, "integer"),
        ({"type": "array", "items": {"$ref": "#"}}, "array of the whole"),
        ({"$ref": "#/$defs/A~1B", "$defs": {"A/B": {"type": "array"}}}, "`A/B`"),
    ],
)
def test_types_in_words(schema: JsonValue, words: str) -> None:
    assert type_words(schema, Page(schema, MARKDOWN)) == words


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"minimum": 1, "maximum": 9}, ["At least `1`, at most `9`."]),
        ({"exclusiveMinimum": 0, "multipleOf": 5}, ["More than `0`, a multiple of `5`."]),
        ({"minLength": 1, "maxLength": 3}, ["`1` to `3` characters."]),
        ({"minItems": 2, "maxItems": 2}, ["Exactly `2` items."]),
        ({"maxItems": 1}, ["At most `1` item."]),
        ({"minProperties": 1}, ["At least `1` member."]),
        ({"minLength": 0}, []),
        ({"enum": ["a", None]}, ['One of `"a"`, `null`.']),
        ({"const": {"a": 1}}, ['Always `{"a": 1}`.']),
        ({"pattern": "^a$"}, ["Pattern: `^a$`."]),
        ({"format": "password"}, ["Secret."]),
        ({"uniqueItems": True, "readOnly": True}, ["No duplicate items.", "Set by the service."]),
        ({"deprecated": True, "examples": ["x"]}, ["Deprecated.", 'For example `"x"`.']),
    ],
)
def test_conditions_are_sentences(schema: JsonObject, said: list[str]) -> None:
    assert sentences(schema, MARKDOWN) == said


def names(schema: JsonObject) -> list[str]:
    return [row.name.strip("`") for row in schema_table(schema).rows]


def test_members_are_dotted_rows() -> None:
    schema = {
        "type": "object",
        "properties": {
            "user": {"type": "object", "properties": {"name": {"type": "string"}}},
            "items": {"type": "array", "items": {"type": "object", "properties": {"id": {}}}},
            "labels": {"type": "object", "additionalProperties": {"properties": {"x": {}}}},
            "pair": {"prefixItems": [{"type": "string"}, {"properties": {"y": {}}}]},
            "grid": {"items": {"items": {"properties": {"z": {}}}}},
        },
        "required": ["user"],
    }
    assert names(schema) == [
        *("user", "user.name"),
        *("items", "items[].id"),
        *("labels", "labels.*", "labels.*.x"),
        *("pair", "pair[0]", "pair[1]", "pair[1].y"),
        *("grid", "grid[][].z"),
    ]
    assert [row.is_required for row in schema_table(schema).rows][:2] == [True, False]


def test_the_members_of_a_union_are_told_apart() -> None:
    card = {"type": "object", "properties": {"number": {}}}
    schema = {
        "properties": {
            "pay": {
                "oneOf": [
                    {"$ref": "#/$defs/Card"},
                    {"title": "Cash", "properties": {"sum": {}}},
                    {"properties": {"type": {"const": "coupon"}, "code": {}}},
                    {"properties": {"x": {}}},
                    {"type": "null"},
                ]
            },
            "one": {"anyOf": [{"$ref": "#/$defs/Card"}, {"type": "null"}]},
        },
        "$defs": {"Card": card},
    }
    assert names(schema) == [
        "pay",
        "pay(Card).number",
        "pay(Cash).sum",
        "pay(type: coupon).type",
        "pay(type: coupon).code",
        "pay(option 4).x",
        "one",
    ]
    assert schema_table(schema).rows[-1].about == "Members as in `pay(Card)`."


def test_recursion_ends_with_the_name_of_the_first_place() -> None:
    schema = {
        "type": "array",
        "items": {"$ref": "#/$defs/Repository"},
        "$defs": {"Repository": REPOSITORY, "User": USER},
    }
    table = schema_table(schema)
    assert table.sentences == "Array of `Repository`."
    assert names(schema)[-1] == "[].forks"
    assert table.rows[-1].about == "Members as in `[]`."
    assert schema_table({"properties": {"again": {"$ref": "#"}}}).rows[0].about == (
        "Members as in the whole."
    )


def test_a_table_is_no_longer_than_its_schema() -> None:
    depth = 40
    definitions = {
        f"D{i}": {
            "properties": {"a": {"$ref": f"#/$defs/D{i + 1}"}, "b": {"$ref": f"#/$defs/D{i + 1}"}}
        }
        for i in range(depth)
    }
    definitions[f"D{depth}"] = {"type": "string"}
    assert len(names({"$ref": "#/$defs/D0", "$defs": definitions})) == 2 * depth


def test_what_stands_beside_a_reference_wins() -> None:
    schema = {
        "properties": {"by": {"$ref": "#/$defs/User", "description": "Who wrote it"}},
        "$defs": {"User": {**USER, "description": "A user"}},
    }
    assert schema_table(schema).rows[0].about == "Who wrote it."


def test_a_title_that_repeats_the_key_is_left_out() -> None:
    schema = {"properties": {"per_page": {"title": "Per Page"}, "q": {"title": "Search words"}}}
    assert [row.about for row in schema_table(schema).rows] == ["", "Search words."]
