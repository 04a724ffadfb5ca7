from __future__ import annotations

import json

import pytest
from toolspec.runtime.defaults import Defaults

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


def test_what_was_filled_in_is_nobody_elses() -> None:
    defaults = Defaults.of(json.dumps(TREE))
    assert defaults is not None
    one, other = defaults.fill({}), defaults.fill({})
    one["children"].append(1)  # type: ignore[index,union-attr,call-overload]
    assert other == {"colour": "grey", "children": []}
