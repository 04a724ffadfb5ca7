from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from schema_probe import findings, told
from toolspec.diagnostics import Severity
from toolspec.schema.unknown_keywords import similar_keyword

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
PROPERTY = "/properties/a"


def in_property(schema: JsonValue) -> JsonValue:
    return {"type": "object", "properties": {"a": schema}}


@pytest.mark.parametrize(
    ("schema", "code", "pointer", "text"),
    [
        ({"type": "intger"}, "unknown-type", "/type", "did you mean `integer`?"),
        ({"type": "String"}, "unknown-type", "/type", "did you mean `string`?"),
        ({"type": "float"}, "unknown-type", "/type", "write `number`"),
        ({"type": "date"}, "unknown-type", "/type", "`format: date`"),
        ({"type": ["string", "nul"]}, "unknown-type", "/type/1", "did you mean `null`?"),
        ({"type": "zzz"}, "unknown-type", "/type", "expected one of `string`"),
        ({"type": ["string", "string"]}, "wrong-keyword-value", "/type", "duplicate"),
        ({"type": []}, "wrong-keyword-value", "/type", "an empty list"),
        ({"type": {"type": "string"}}, "wrong-keyword-value", "/type", "below `properties`"),
        ({"type": 3}, "wrong-keyword-value", "/type", "not 3"),
        ({"required": True}, "misplaced-required", "/required", "`required: [a]` beside"),
        ({"required": False}, "misplaced-required", "/required", "delete it"),
        ({"required": "name"}, "wrong-keyword-value", "/required", "write `required: [name]`"),
        ({"required": ["x", "x"]}, "wrong-keyword-value", "/required", "duplicate"),
        ({"required": [3]}, "wrong-keyword-value", "/required/0", "not 3"),
        ({"properties": []}, "wrong-keyword-value", "/properties", "under its name"),
        ({"properties": {"b": "string"}}, "not-a-schema", "/properties/b", "`{type: string}`"),
        ({"properties": {"b": None}}, "not-a-schema", "/properties/b", "`true` allows anything"),
        ({"items": [{"type": "string"}]}, "not-a-schema", "/items", "under `prefixItems`"),
        ({"additionalProperties": 3}, "not-a-schema", "/additionalProperties", "found 3"),
        ({"anyOf": {"type": "string"}}, "wrong-keyword-value", "/anyOf", "write a list"),
        ({"anyOf": []}, "wrong-keyword-value", "/anyOf", "not an empty list"),
        ({"anyOf": ["string"]}, "not-a-schema", "/anyOf/0", "`{type: string}`"),
        ({"enum": "open"}, "wrong-keyword-value", "/enum", "write `enum: [open]`"),
        ({"minLength": -1}, "wrong-keyword-value", "/minLength", "0 or more, not -1"),
        ({"minLength": "3"}, "wrong-keyword-value", "/minLength", "without quotes"),
        ({"minimum": "0"}, "wrong-keyword-value", "/minimum", "must be a number"),
        ({"multipleOf": 0}, "wrong-keyword-value", "/multipleOf", "greater than 0"),
        (
            {"exclusiveMinimum": True},
            "wrong-keyword-value",
            "/exclusiveMinimum",
            "delete `minimum`",
        ),
        ({"description": ["a"]}, "wrong-keyword-value", "/description", "must be a string"),
        ({"uniqueItems": "yes"}, "wrong-keyword-value", "/uniqueItems", "true or false"),
        ({"pattern": 3}, "wrong-keyword-value", "/pattern", "must be a string"),
        ({"$ref": 3}, "wrong-keyword-value", "/$ref", "must be a string"),
    ],
)
def test_the_human_cause(schema: JsonValue, code: str, pointer: str, text: str) -> None:
    found = findings(in_property(schema))
    assert [(each.code, each.subject.pointer) for each in found] == [
        (f"schema/{code}", f"{PROPERTY}{pointer}")
    ]
    assert text in f"{found[0].message} {found[0].help}"
    assert found[0].severity is Severity.ERROR


def test_all_causes_at_once() -> None:
    schema: JsonValue = {
        "type": "object",
        "properties": {"a": {"type": "intger"}, "b": {"minLength": -1}, "c": {"pattern": "["}},
        "required": "a",
    }
    assert sorted(told(schema)) == [
        ("schema/bad-pattern", "/properties/c/pattern"),
        ("schema/unknown-type", "/properties/a/type"),
        ("schema/wrong-keyword-value", "/properties/b/minLength"),
        ("schema/wrong-keyword-value", "/required"),
    ]


def test_one_root_cause_is_one_finding() -> None:
    unsatisfiable_too: JsonValue = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"enum": 3}},
    }
    assert told(unsatisfiable_too) == [("schema/wrong-keyword-value", "/properties/a/enum")]


@pytest.mark.parametrize("value", [None, 3, "string", [{}]])
def test_a_root_that_is_no_schema(value: JsonValue) -> None:
    assert told(value) == [("schema/not-a-schema", "")]


def test_each_dialect_has_its_own_metaschema() -> None:
    assert told({"$schema": DRAFT_07, "items": [{"type": "string"}]}) == []
    assert told({"$schema": DRAFT_07, "dependencies": {"a": 3}}) == [
        ("schema/not-a-schema", "/dependencies/a")
    ]


@pytest.mark.parametrize(
    ("word", "keyword"),
    [
        ("propertes", "properties"),
        ("descripton", "description"),
        ("requried", "required"),
        ("additionalproperties", "additionalProperties"),
        ("minlength", "minLength"),
        ("patern", "pattern"),
        ("additional_properties", "additionalProperties"),
        ("tpye", "type"),
        ("ytpe", "type"),
        ("enmu", "enum"),
        ("emun", "enum"),
        ("nto", "not"),
        ("fi", "if"),
        ("Tpye", "type"),
        ("x-propertes", ""),
        ("example", ""),
        ("nullable", ""),
        ("displayName", ""),
        ("placeholder", ""),
        ("order", ""),
        ("unit", ""),
        ("ton", ""),
    ],
)
def test_a_slip_is_told_from_an_annotation(word: str, keyword: str) -> None:
    found = findings({word: {}})
    if not keyword:
        assert found == ()
        return
    assert similar_keyword(word) == keyword
    assert [(each.code, each.severity) for each in found] == [
        ("schema/unknown-keyword", Severity.WARNING)
    ]
    assert found[0].span is not None
    assert found[0].span.text == f'"{word}"'
    assert found[0].fix is not None
    assert found[0].fix.edits[0].new_text == f'"{keyword}"'


def test_no_slip_where_the_keyword_stands_too() -> None:
    assert told({"type": "string", "types": ["a"]}) == []


def test_of_many_invalid_parts_the_first_are_listed() -> None:
    wrong: JsonValue = {"type": "object", "properties": {f"p{n}": 5 for n in range(10_000)}}
    codes = [code for code, _ in told(wrong)]
    assert codes.count("schema/not-a-schema") == 200
    choice: JsonValue = {"anyOf": [{"type": "string"}, *([5] * 10_000)]}
    assert [code for code, _ in told(choice)].count("schema/not-a-schema") == 200
    types: JsonValue = {"properties": {f"p{n}": {"type": "strin"} for n in range(300)}}
    assert [code for code, _ in told(types)][-1] == "syntax/too-many"
