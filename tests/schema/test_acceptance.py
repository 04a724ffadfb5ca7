"""What is plainly accepted, a validator accepts; and what the manuals write needs no validator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from counted_calls import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator
from sampling import sampled
from toolspec.schema.instances import _FORMATS, plainly_accepts
from toolspec.shared import python_validator
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

NAMES = st.sampled_from(["a", "b", "a~1b", "a b", "%61"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.sampled_from(
        [0.5, 1.0, -0.0, 2.0**53, "", "a", "\U0001d4b3", "ab", "2024-02-28", "2023-02-29"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
REFERENCES = st.sampled_from(
    ["#/$defs/a", "#/$defs/b", "#/$defs/a~1b", "#/$defs/%61", "#/$defs/a%20b"]
)
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": TYPES | st.lists(TYPES, min_size=1, unique=True),
        "enum": st.lists(SCALARS, max_size=3),
        "const": SCALARS,
        "minimum": st.integers(-2, 2) | st.just(0.5),
        "maximum": st.integers(-2, 2) | st.just(1.5),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
        "multipleOf": st.just(2),
        "description": st.just("x"),
        "exclusiveMinimum": st.integers(-2, 2) | st.just(0.5),
        "exclusiveMaximum": st.integers(-2, 2) | st.just(1.5),
        "format": st.sampled_from(["date", "uuid", "other"]),
        "$ref": REFERENCES,
    },
)
SCHEMAS = st.recursive(
    st.booleans() | LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "items": inner,
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "patternProperties": st.just({"a": False}),
            "not": st.just({}),
        },
    ),
    max_leaves=5,
)
# References from a definition to itself or back would never end.
DEFINITIONS = st.dictionaries(NAMES, st.sampled_from([True, False, {"type": "string"}]), max_size=4)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(SCHEMAS, DEFINITIONS, VALUES)
def test_what_is_plainly_accepted_is_accepted(
    schema: JsonValue, definitions: JsonObject, value: JsonValue
) -> None:
    assert_accepted(schema, definitions, value)


@pytest.mark.prove
@settings(derandomize=True, max_examples=5_000, deadline=None)
@given(SCHEMAS, DEFINITIONS, VALUES)
def test_whatever_is_plainly_accepted_is_accepted(
    schema: JsonValue, definitions: JsonObject, value: JsonValue
) -> None:
    assert_accepted(schema, definitions, value)


def assert_accepted(schema: JsonValue, definitions: JsonObject, value: JsonValue) -> None:
    root = {**schema, "$defs": definitions} if isinstance(schema, dict) else schema
    if plainly_accepts(root, value, root):
        everything = {name: definitions.get(name, True) for name in ("a", "b", "a b", "a/b")}
        whole = {**root, "$defs": everything} if isinstance(root, dict) else root
        assert Draft202012Validator(whole).is_valid(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "enum": ["a", "b"], "description": "One."}, "a"),
        ({"type": ["string", "null"], "maxLength": 1}, None),
        ({"type": "number", "minimum": 0, "maximum": 1}, 0.5),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, [1, 2]),
        ({"properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]}, {"a": "x"}),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, {"any": True}),
        ({"anyOf": [{"type": "null"}, {"type": "integer", "exclusiveMinimum": 0}]}, 1),
        ({"format": "date"}, "2026-02-28"),
        ({"format": "date-time"}, "2026-12-01T23:59:59.5Z"),
        ({"format": "email"}, "ada.l+notes@mail.example.com"),
        ({"format": "uri"}, "https://example.com/a/b-c"),
        ({"format": "uuid"}, "01890a5d-ac96-774b-bcce-b302099a8057"),
    ],
)
def test_the_usual_needs_no_validator(schema: JsonObject, value: JsonValue) -> None:
    assert plainly_accepts(schema, value, {**schema, "$defs": {"A": {"type": "string"}}})


@pytest.mark.parametrize("name", sampled(_FORMATS, 2))
@settings(derandomize=True, max_examples=200, deadline=None)
@given(data=st.data())
def test_validators_accept_what_obviously_has_a_format(name: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(_FORMATS[name], fullmatch=True))
    if plainly_accepts({"format": name}, text, {}):
        assert compiled({"format": name}, formats=True)(text)
        assert python_validator.compiled({"format": name}, formats=True, error=ValueError)(text)


def test_a_format_that_is_only_documented_needs_no_validator() -> None:
    assert plainly_accepts({"format": "date"}, "soon", {}, formats=False)
    assert not plainly_accepts({"format": "date"}, "soon", {})


def test_a_reference_without_end_says_nothing() -> None:
    schema: JsonObject = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}
    assert not plainly_accepts(schema, 1, schema)


def test_recursive_alternatives_are_tried_in_time_linear_in_the_value() -> None:
    node: JsonObject = {
        "anyOf": [
            {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/N"}}},
            {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/N"}, "b": {}}},
            {"type": "null"},
        ]
    }
    root: JsonObject = {"$defs": {"N": node}, "$ref": "#/$defs/N"}

    def tried(depth: int) -> int:
        value: JsonValue = 1
        for _ in range(depth):
            value = {"a": value}
        return calls(lambda: plainly_accepts(root, value, root))

    assert tried(40) < 3 * tried(20)
