"""Values that a schema declares secret are masked wherever they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from toolspec.shared.secret_values import MASK, masked

SECRET: dict[str, Any] = {"type": "string", "writeOnly": True}
PASSWORD: dict[str, Any] = {"type": "string", "format": "password"}
CASES: dict[str, tuple[Any, Any, Any]] = {
    "nothing": ({"properties": {"a": {"type": "string"}}}, {"a": "x"}, {"a": "x"}),
    "member": (
        {"properties": {"a": SECRET, "b": PASSWORD, "c": {"description": "no password"}}},
        {"a": "x", "b": "y", "c": "z", "d": 1},
        {"a": MASK, "b": MASK, "c": "z", "d": 1},
    ),
    "inner": (
        {"properties": {"a": {"items": {"properties": {"b": SECRET}}}}},
        {"a": [{"b": "x", "c": 1}, {}]},
        {"a": [{"b": MASK, "c": 1}, {}]},
    ),
    "whole object": (
        {"properties": {"a": {"type": "object", "writeOnly": True}}},
        {"a": {"b": 1}},
        {"a": MASK},
    ),
    "reference": (
        {
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"properties": {"b": SECRET, "c": {"$ref": "#/$defs/A"}}}},
        },
        {"a": {"b": "x", "c": {"b": "y"}}},
        {"a": {"b": MASK, "c": {"b": MASK}}},
    ),
    "branch": (
        {"oneOf": [{"properties": {"a": SECRET}}, {"allOf": [{"properties": {"b": PASSWORD}}]}]},
        {"a": "x", "b": "y"},
        {"a": MASK, "b": MASK},
    ),
    "other members": (
        {"properties": {"a": {}}, "additionalProperties": SECRET},
        {"a": "x", "b": "y"},
        {"a": "x", "b": MASK},
    ),
    "pattern": ({"patternProperties": {"^a": SECRET}}, {"ab": "x"}, {"ab": MASK}),
    "tuple": (
        {"prefixItems": [{}, SECRET], "items": {"properties": {"a": SECRET}}},
        ["x", "y", {"a": 1}],
        ["x", MASK, {"a": MASK}],
    ),
    "dependent": (
        {"dependentSchemas": {"b": {"properties": {"a": SECRET}}}},
        {"a": "x"},
        {"a": MASK},
    ),
    "pattern of a listed member": (
        {"properties": {"ab": {}, "ba": {}}, "patternProperties": {"^a": SECRET}},
        {"ab": "x", "ba": "y"},
        {"ab": MASK, "ba": "y"},
    ),
    "unevaluated": (
        {"unevaluatedProperties": {"unevaluatedItems": SECRET}},
        {"a": ["x"]},
        {"a": [MASK]},
    ),
    "contained": ({"contains": SECRET}, ["x"], [MASK]),
    "dynamic reference": (
        {"$dynamicRef": "#a", "$defs": {"A": {"$dynamicAnchor": "a", "properties": {"a": SECRET}}}},
        {"a": "x"},
        {"a": MASK},
    ),
    "endless": ({"allOf": [{"$ref": "#"}], "properties": {"a": SECRET}}, {"a": 1}, {"a": MASK}),
    "no schema": (True, {"a": "x"}, {"a": "x"}),
}


@pytest.mark.parametrize(("schema", "value", "expected"), CASES.values(), ids=CASES)
def test_a_secret_is_masked(schema: Any, value: Any, expected: Any) -> None:
    assert masked(json.dumps(schema), value) == expected
