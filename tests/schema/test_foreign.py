"""Schemas of others: what would keep a validator busy, or has an unknown complexity, is refused."""

from __future__ import annotations

import json

import pytest
from test_complexity import doubling
from toolspec.schema.foreign import refusal


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"type": "object", "properties": {"x": {"type": "string", "x-mine": 1}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$defs": {}, "$ref": "#/$defs/a"}
        | {"$defs": {"a": {"pattern": "("}}},
        {"$defs": {"t": {"properties": {"t": {"$ref": "#/$defs/t"}}}}, "$ref": "#/$defs/t"},
        doubling(8, "anyOf"),
    ],
)
def test_a_simple_schema_goes_to_the_validator(schema: object) -> None:
    assert refusal(json.dumps(schema)) == ""


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (doubling(40, "anyOf"), "too complex"),
        ({"anyOf": [{"$ref": "#"}]}, "circular reference"),
        ({"$ref": "#/x/y", "x": {"y": 5}}, "not to a schema"),
        ({"$ref": "#/nowhere"}, "does not exist in the schema"),
        ({"$ref": "#nowhere"}, "does not exist in the schema"),
        ({"$ref": "https://example.com/s"}, "does not exist in the schema"),
        (
            {"$dynamicRef": "#a", "$dynamicAnchor": "a"}
            | {"$defs": {"b": {"$id": "b", "$dynamicAnchor": "a"}}},
            "dynamicRef",
        ),
        ({"$schema": "https://example.com/words"}, "example.com"),
        ({"properties": None}, "properties"),
        ({"$defs": [1]}, "defs"),
    ],
)
def test_a_schema_of_unknown_or_high_complexity_is_refused(schema: object, reason: str) -> None:
    assert reason in refusal(json.dumps(schema))


def test_what_is_too_deep_to_be_read_is_refused() -> None:
    assert refusal("[" * 100_000) != ""
