"""Defaults that are filled into defaults: the compiler refuses what the runtime could not fill."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from schema_probe import told
from toolspec.runtime.defaults import Defaults
from toolspec.schema.nested_defaults import MAX_FILLED

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

REFERENCE: JsonValue = {"$ref": "#/$defs/Node"}
NODE: JsonValue = {"$ref": "#/$defs/Node", "default": {}}


def nodes(**properties: JsonValue) -> JsonObject:
    return {"$defs": {"Node": {"type": "object", "properties": properties}}, **REFERENCE}


def filled(schema: JsonObject) -> JsonValue:
    defaults = Defaults.of(json.dumps(schema))
    assert defaults is not None
    return defaults.fill({})


ENDLESS = {
    "itself": nodes(next=NODE),
    "another": nodes(left={"properties": {"right": NODE}, "default": {}}),
    "list": nodes(next={"items": REFERENCE, "default": [{}]}),
    "tuple": nodes(next={"prefixItems": [{}, REFERENCE], "default": [1, {}]}),
    "any member": nodes(all={"additionalProperties": REFERENCE, "default": {"x": {}}}),
    "allOf": nodes(next={"allOf": [REFERENCE], "default": {}}),
}
FINITE: dict[str, tuple[JsonObject, JsonValue]] = {
    "scalar": (
        nodes(next=REFERENCE, one={"properties": {"size": {"default": 1}}, "default": {}}),
        {"one": {"size": 1}},
    ),
    "empty list": (nodes(next={"items": REFERENCE, "default": []}), {"next": []}),
    "choice": (nodes(next={"anyOf": [REFERENCE], "default": {}}), {"next": {}}),
    "pattern": (
        nodes(all={"patternProperties": {"^x": REFERENCE}, "default": {"x": {}}}),
        {"all": {"x": {}}},
    ),
    "last named": (
        nodes(next={**REFERENCE, "default": {"next": None}}),
        {"next": {"next": None}},
    ),
    "first default of two": (
        nodes(
            next={
                "allOf": [{"properties": {"next": {"default": 1}}}, REFERENCE],
                "default": {},
            },
        ),
        {"next": {"next": 1}},
    ),
}


@pytest.mark.parametrize("schema", ENDLESS.values(), ids=ENDLESS)
def test_a_default_inside_itself_is_an_error(schema: JsonObject) -> None:
    assert [code for code, _ in told(schema)] == ["schema/endless-default"]
    with pytest.raises(RecursionError):
        filled(schema)


@pytest.mark.parametrize(("schema", "value"), FINITE.values(), ids=FINITE)
def test_a_default_that_ends_is_none(schema: JsonObject, value: JsonValue) -> None:
    assert "schema/endless-default" not in dict(told(schema))
    assert filled(schema) == value


def doubling(levels: int) -> JsonObject:
    definitions: JsonObject = {"d0": {}}
    for level in range(1, levels):
        inner = {"$ref": f"#/$defs/d{level - 1}", "default": {}}
        definitions[f"d{level}"] = {"properties": {"a": inner, "b": inner}}
    return {
        "$defs": definitions,
        "properties": {"x": {"$ref": f"#/$defs/d{levels - 1}", "default": {}}},
    }


def test_defaults_that_double_are_counted() -> None:
    assert told(doubling(12)) == []
    assert [code for code, _ in told(doubling(40))] == ["schema/too-complex"] * 2
    long: JsonObject = {"properties": {"x": {"default": [0] * MAX_FILLED}}}
    assert [code for code, _ in told(long)] == ["schema/too-complex"]
