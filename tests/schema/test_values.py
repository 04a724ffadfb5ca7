from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from schema_probe import bundle, findings, told
from toolspec.diagnostics import Severity
from toolspec.schema import InstanceValidator

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue


@pytest.mark.parametrize(
    ("schema", "pointer", "text"),
    [
        ({"type": "integer", "default": "ten"}, "", '"ten" is not a whole number'),
        ({"type": ["string", "null"], "default": 3}, "", "3 is not a string or null"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "default": 3}, "", "a string or null"),
        ({"enum": ["open", "closed"], "default": "opened"}, "", 'did you mean "open"?'),
        ({"enum": [1, 2], "default": 3}, "", "3 is not one of 1 or 2"),
        ({"const": 1, "default": 2}, "", "2 is not 1"),
        ({"type": "integer", "minimum": 5, "default": 3}, "", "less than the minimum of 5"),
        ({"type": "string", "pattern": "^a$", "default": "b"}, "", "does not match `^a$`"),
        (
            {"type": "object", "required": ["id"], "default": {}},
            "",
            "`id` is missing",
        ),
        (
            {"type": "object", "properties": {"n": {"type": "integer"}}, "default": {"n": "x"}},
            "/n",
            'n: "x" is not a whole number',
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "default": [1, "x"]},
            "/1",
            '[1]: "x" is not a whole number',
        ),
    ],
)
def test_a_default_that_its_schema_refuses(schema: JsonValue, pointer: str, text: str) -> None:
    found = findings({"properties": {"a": schema}})
    assert [(each.code, each.subject.pointer) for each in found] == [
        ("schema/default-mismatch", f"/properties/a/default{pointer}")
    ]
    assert text in found[0].message


def test_a_default_of_null_is_a_note() -> None:
    found = findings({"properties": {"a": {"type": "string", "default": None}}})
    assert [(each.code, each.severity) for each in found] == [
        ("schema/null-default", Severity.NOTE)
    ]
    assert told({"properties": {"a": {"type": ["string", "null"], "default": None}}}) == []


def test_each_wrong_example_is_found() -> None:
    schema: JsonValue = {"type": "integer", "examples": [1, "2", 3, None]}
    assert told(schema) == [
        ("schema/example-mismatch", "/examples/1"),
        ("schema/example-mismatch", "/examples/3"),
    ]


def test_values_are_judged_through_references() -> None:
    schema: JsonValue = {
        "$defs": {"a b/~%": {"type": "integer", "$defs": {"é": {"type": "null"}}}},
        "properties": {
            "x": {"$ref": "#/$defs/a%20b~1~0%25", "default": "no"},
            "y": {"$ref": "#/$defs/a%20b~1~0%25", "default": 1},
            "é ü": {"anyOf": [{"$ref": "#/$defs/a b~1~0%25/$defs/é"}], "default": 1},
        },
    }
    assert told(schema) == [
        ("schema/default-mismatch", "/properties/x/default"),
        ("schema/default-mismatch", "/properties/é ü/default"),
    ]


def test_defaults_in_draft_07_are_found_where_they_were_written() -> None:
    schema: JsonValue = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"a": {"items": [{"type": "integer", "default": "x"}]}},
    }
    assert told(schema) == [("schema/default-mismatch", "/definitions/a/items/0/default")]


def test_a_tagged_choice_is_explained_by_the_branch_that_was_meant() -> None:
    def shape(kind: str, size: str) -> JsonValue:
        properties: JsonValue = {"kind": {"const": kind}, size: {"type": "number"}}
        return {"type": "object", "properties": properties, "required": ["kind", size]}

    made = bundle({"oneOf": [shape("circle", "radius"), shape("square", "side")]})
    problems = InstanceValidator(made).problems((), {"kind": "square", "side": "long"})
    assert [str(each) for each in problems] == ['side: "long" is not a number']


def test_numbers_past_any_float_are_judged_and_shown() -> None:
    assert told({"type": "integer", "default": 10**400}) == []
    assert told({"type": "string", "default": 10**400}) == [("schema/default-mismatch", "/default")]


def test_values_are_compared_with_listed_ones_only_so_often() -> None:
    """Each part of an example is compared with each member of an `enum`: the product is bounded."""

    def matching(count: int) -> JsonValue:
        listed: JsonValue = [{"k": number} for number in range(count)]
        wrong: JsonValue = [{"k": -number - 1} for number in range(count)]
        return {"type": "array", "contains": {"enum": listed}, "examples": [wrong]}

    assert told(matching(50)) == [("schema/example-mismatch", "/examples/0")]
    assert told(matching(1_000)) == [("schema/unchecked-value", "/examples/0")]
