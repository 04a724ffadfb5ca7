from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, tool
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend
from toolspec.runtime import Context, bind_service
from toolspec.runtime.defaults import Defaults
from toolspec.runtime.values import copied
from toolspec.serving.settings import settings_for

if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonObject, JsonValue

TREE = {
    "$defs": {
        "Node": {
            "properties": {
                "colour": {"default": "grey"},
                "children": {"items": {"$ref": "#/$defs/Node"}, "default": []},
            }
        }
    },
    "$ref": "#/$defs/Node",
}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (
            TREE,
            {"children": [{}]},
            {"children": [{"colour": "grey", "children": []}], "colour": "grey"},
        ),
        (
            {"properties": {"a": {"$ref": "#"}, "n": {"default": 1}}},
            {"a": {}},
            {"a": {"n": 1}, "n": 1},
        ),
        ({"allOf": [{"properties": {"n": {"default": 1}}}]}, {}, {"n": 1}),
        (
            {"allOf": [{"properties": {"n": {"default": 1}}}], "properties": {"n": {"default": 2}}},
            {},
            {"n": 1},
        ),
        (
            {"prefixItems": [{}, {"properties": {"n": {"default": 1}}}]},
            [{}, {}, {}],
            [{}, {"n": 1}, {}],
        ),
        (
            {"prefixItems": [{}], "items": {"properties": {"n": {"default": 1}}}},
            [{}, {}],
            [{}, {"n": 1}],
        ),
        (
            {
                "properties": {"a": {}},
                "additionalProperties": {"properties": {"n": {"default": 1}}},
            },
            {"a": {}, "b": {}, "c": 5},
            {"a": {}, "b": {"n": 1}, "c": 5},
        ),
        (
            {"properties": {"a": {"default": {}, "properties": {"n": {"default": 1}}}}},
            {},
            {"a": {"n": 1}},
        ),
        ({"properties": {"n": {"default": None}}}, {}, {"n": None}),
        ({"properties": {"n": {"default": 1}}}, "text", "text"),
    ],
)
def test_defaults_are_filled_in_wherever_plain_members_and_items_lead(
    schema: dict[str, object], value: object, expected: object
) -> None:
    defaults = Defaults.of(json.dumps(schema))
    assert defaults is not None
    assert defaults.fill(value) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"default": {"type": "string"}}},
        {"anyOf": [{"properties": {"n": {"default": 1}}}]},
        {"$defs": {"Unused": {"properties": {"n": {"default": 1}}}}},
        {"$ref": "#"},
        True,
        {"properties": {"cursor": {"type": "string", "default": None}}},
        {"properties": {"state": {"enum": ["open"], "default": None}}},
    ],
)
def test_a_schema_that_adds_nothing_has_no_defaults(schema: object) -> None:
    assert Defaults.of(json.dumps(schema)) is None


INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (INTEGER, 1e3, "1000"),
        (INTEGER, -0.0, "0"),
        (NUMBER, 1.0, "1.0"),
        ({"type": ["object", "number"], "properties": {"a": INTEGER}}, 1.0, "1.0"),
        ({"type": ["integer", "null"]}, 1.0, "1"),
        ({"enum": [1, "a"]}, 1.0, "1"),
        ({"const": 1}, 1.0, "1"),
        ({"properties": {"a": INTEGER, "b": NUMBER}}, {"a": 1.0, "b": 1.0}, '{"a": 1, "b": 1.0}'),
        ({"properties": {"a": {"default": 1.0, **INTEGER}}}, {}, '{"a": 1}'),
        ({"properties": {"a": NUMBER}, "additionalProperties": INTEGER}, {"a": 1.0}, '{"a": 1.0}'),
        ({"additionalProperties": INTEGER}, {"a": 1.0, "b": "c"}, '{"a": 1, "b": "c"}'),
        ({"patternProperties": {"^a": INTEGER}}, {"a": 1.0}, '{"a": 1}'),
        ({"items": INTEGER}, [1.0, 2], "[1, 2]"),
        ({"prefixItems": [NUMBER], "items": INTEGER}, [1.0, 2.0], "[1.0, 2]"),
        ({"allOf": [NUMBER, INTEGER]}, 1.0, "1"),
        ({"anyOf": [INTEGER, {"type": "null"}]}, 1.0, "1"),
        (
            {"oneOf": [{"properties": {"a": INTEGER, "b": NUMBER}}, {"type": "string"}]},
            {"a": 1.0, "b": 1.0},
            '{"a": 1, "b": 1.0}',
        ),
        (
            {
                "$ref": "#/$defs/A",
                "$defs": {"A": {"properties": {"n": INTEGER, "a": {"$ref": "#"}}}},
            },
            {"n": 1.0, "a": {"n": 2.0, "a": {"n": 3.0}}},
            '{"n": 1, "a": {"n": 2, "a": {"n": 3}}}',
        ),
        (
            {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, INTEGER]}}},
            1.0,
            "1",
        ),
    ],
)
def test_whole_floats_are_ints_where_the_schema_speaks_of_integers(
    schema: JsonObject, value: JsonValue, expected: str
) -> None:
    part = Defaults.of(json.dumps(schema))
    made = value if part is None else part.fill(value)
    assert json.dumps(made) == expected


def test_what_has_a_fraction_or_is_no_number_stays() -> None:
    part = Defaults.of(json.dumps({"properties": {"a": {"type": ["integer", "number", "string"]}}}))
    assert part is not None
    for value in (1.5, "1.0", True, None):
        assert part.fill({"a": value})["a"] is value  # type: ignore[index,call-overload]


NAMES = st.sampled_from(["a", "b"])
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.sampled_from([0.0, 1.0, 2.5, 1e30, 1, None, "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=8,
)
LEAVES = st.sampled_from(
    [INTEGER, NUMBER, {"enum": [1, "a"]}, {"type": ["integer", "null"]}, True, {"type": "string"}]
)
SCHEMAS = st.recursive(
    LEAVES | st.sampled_from([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=2),
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=1),
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
        },
    ),
    max_leaves=6,
)
LIST_OF_A = {"items": {"$ref": "#/$defs/A"}}
ROOTS = st.builds(
    lambda root, one, other: {
        "allOf": [root],
        "$defs": {"A": {"items": one, "additionalProperties": other}, "B": LIST_OF_A},
    },
    SCHEMAS,
    SCHEMAS,
    SCHEMAS,
)
_TYPES = Draft202012Validator.TYPE_CHECKER
Strict = extend(
    Draft202012Validator,
    type_checker=_TYPES.redefine("integer", lambda _, value: type(value) is int),
)
"""Takes an int alone for an integer, as Python's types do."""


@given(ROOTS, VALUES)
@settings(derandomize=True, max_examples=400)
def test_what_a_schema_admits_is_right_by_its_types_once_it_is_filled(
    schema: JsonObject, value: JsonValue
) -> None:
    assume(Draft202012Validator(schema).is_valid(value))
    part = Defaults.of(json.dumps(schema))
    made = value if part is None else part.fill(copied(value))
    assert made == value
    assert Strict(schema).is_valid(made)


def test_a_handler_gets_ints_for_integers_and_its_settings_too() -> None:
    seen: list[object] = []

    async def act(input: dict[str, object], ctx: Context[dict[str, object], None]) -> None:
        seen.extend([input["n"], ctx.settings["limit"]])

    schema = json.dumps({"type": "object", "properties": {"limit": INTEGER}})
    definition = service(
        tool(arguments_schema={"properties": {"n": INTEGER}}), settings_schema=schema
    )
    found = settings_for([definition], environ={"TOOLSPEC_DEMO_LIMIT": "1e3"})
    registry = bind_service(definition, {"act": act}, settings=found["demo"].settings)
    asyncio.run(registry.call("demo_act", {"n": 2.0}))
    assert json.dumps(seen) == "[2, 1000]"


def test_without_copies_a_handler_gets_its_callers_number() -> None:
    registry = bound(tool(arguments_schema={"properties": {"n": INTEGER}}), echo)
    sent = {"n": 2.0}
    assert json.dumps(asyncio.run(registry.call("demo_act", sent))) == '{"n": 2}'
    shared = registry.with_controls(copies=False)
    assert asyncio.run(shared.call("demo_act", sent)) is sent


def test_what_was_filled_in_is_nobody_elses() -> None:
    defaults = Defaults.of(json.dumps(TREE))
    assert defaults is not None
    one, other = defaults.fill({}), defaults.fill({})
    one["children"].append(1)  # type: ignore[index,union-attr,call-overload]
    assert other == {"colour": "grey", "children": []}
