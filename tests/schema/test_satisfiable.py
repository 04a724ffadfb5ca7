from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator
from schema_probe import findings, told

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

OBJECT = {"type": "object"}


@pytest.mark.parametrize(
    ("schema", "pointer", "text"),
    [
        ({"type": "integer", "minimum": 10, "maximum": 1}, "/minimum", "`maximum` 1"),
        ({"type": "number", "exclusiveMinimum": 1, "maximum": 1}, "/exclusiveMinimum", "not below"),
        ({"type": "string", "minLength": 5, "maxLength": 4}, "/minLength", "`maxLength` 4"),
        ({"type": "array", "minItems": 2, "maxItems": 1}, "/minItems", "`maxItems` 1"),
        ({"type": "object", "minProperties": 2, "maxProperties": 1}, "/minProperties", "above"),
        ({"type": "string", "enum": [1, 2]}, "/enum", "of type `string`"),
        ({"type": "string", "const": 1}, "/const", "of type `string`"),
        ({"enum": ["a"], "const": "b"}, "/const", "not in `enum`"),
        ({"enum": []}, "/enum", "empty"),
        (
            {
                **OBJECT,
                "properties": {"id": {}},
                "required": ["ident"],
                "additionalProperties": False,
            },
            "/required/0",
            "`additionalProperties: false` forbids it",
        ),
        ({**OBJECT, "properties": {"a": False}, "required": ["a"]}, "/properties/a", "`false`"),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "/allOf", "`allOf`"),
        (
            {"$ref": "#/$defs/A", "$defs": {"A": {"not": {}}}},
            "/$defs/A/not",
            "`not` rejects every value",
        ),
        ({"type": "array", "minItems": 1, "items": {"not": {}}}, "/items/not", "`not`"),
        ({"type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 5}, "", "together"),
        (
            {"type": "array", "minItems": 3, "uniqueItems": True, "items": {"enum": [1, 2]}},
            "/items",
            "",
        ),
        (
            {
                "$ref": "#/$defs/T",
                "$defs": {
                    "T": {**OBJECT, "required": ["n"], "properties": {"n": {"$ref": "#/$defs/T"}}}
                },
            },
            "/$defs/T/properties/n",
            "without end",
        ),
    ],
)
def test_the_nearest_culprit(schema: JsonValue, pointer: str, text: str) -> None:
    found = findings(schema)
    assert [(each.code, each.subject.pointer) for each in found] == [
        ("schema/unsatisfiable", pointer)
    ]
    assert text in found[0].message


@pytest.mark.parametrize(
    "schema",
    [
        {"minimum": 10, "maximum": 1},
        {"type": ["integer", "null"], "minimum": 10, "maximum": 1},
        {"type": "string", "enum": ["a", None]},
        {"type": "number", "enum": [1]},
        {"type": "integer", "const": 1.0},
        {"not": {"type": "string", "enum": [1]}},
        {"if": {"enum": []}, "then": False},
        {"properties": {"if": {"type": "string"}, "a": False}},
        {"anyOf": [False, {"type": "string"}]},
        {"type": "array", "items": False},
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}, "b": {}}},
    ],
)
def test_what_can_be_satisfied(schema: JsonValue) -> None:
    assert told(schema) == []


def test_a_contradiction_in_an_optional_property_counts() -> None:
    schema: JsonValue = {**OBJECT, "properties": {"a": {"type": "string", "enum": [1]}}}
    assert told(schema) == [("schema/unsatisfiable", "/properties/a/enum")]


def test_a_required_name_that_nothing_describes_is_a_warning() -> None:
    schema: JsonValue = {**OBJECT, "properties": {"ident": {}}, "required": ["indent"]}
    found = findings(schema)
    assert [(each.code, each.subject.pointer, each.help) for each in found] == [
        ("schema/undeclared-required", "/required/0", "did you mean `ident`?")
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {**OBJECT, "required": ["a"]},
        {**OBJECT, "properties": {"b": {}}, "patternProperties": {"^a": {}}, "required": ["a"]},
        {
            **OBJECT,
            "properties": {"b": {}},
            "required": ["a"],
            "allOf": [{"properties": {"a": {}}}],
        },
        {"properties": {"a": {}}, "anyOf": [{"properties": {"b": {}}, "required": ["a"]}]},
    ],
)
def test_a_name_that_may_be_described_elsewhere(schema: JsonValue) -> None:
    assert told(schema) == []


def test_choices_that_multiply_are_not_proved() -> None:
    def choice(group: int) -> JsonValue:
        names = [f"p{group}_{number}" for number in range(30)]
        return {
            "anyOf": [
                {"properties": {name: {"minLength": 1}}, "required": [name]} for name in names
            ]
        }

    assert told({"allOf": [choice(group) for group in range(30)]}) == []


SCALARS = st.sampled_from(["a", "bb", 1, 2, None, True])
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "null", "object", "array"]),
        "enum": st.lists(SCALARS, min_size=1, max_size=3),
        "const": SCALARS,
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "minLength": st.integers(0, 3),
        "maxLength": st.integers(0, 3),
        "minItems": st.integers(0, 2),
        "maxItems": st.integers(0, 2),
        "required": st.just(["a"]),
        "additionalProperties": st.booleans(),
    },
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array"]),
            "properties": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
            "items": inner,
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "required": st.just(["a"]),
            "additionalProperties": st.booleans(),
            "minItems": st.integers(0, 2),
        },
    ),
    max_leaves=5,
)
VALUES = st.recursive(
    SCALARS | st.integers(-3, 3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@settings(derandomize=True, max_examples=400, deadline=None)
@given(schema=SCHEMAS, values=st.lists(VALUES, max_size=10))
def test_where_a_root_is_refused_no_value_is_accepted(
    schema: JsonValue, values: list[JsonValue]
) -> None:
    refused = [pointer for code, pointer in told(schema) if code == "schema/unsatisfiable"]
    validator = Draft202012Validator(schema, offline=True)
    if any(pointer.count("/") <= 1 and "allOf" not in pointer for pointer in refused):
        assert not any(validator.is_valid(each) for each in values)
