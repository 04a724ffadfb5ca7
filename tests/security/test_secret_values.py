"""Values that a schema declares secret are in no error, and no values of a call in what the framework logs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from toolspec.runtime import ServiceDefinition, ToolDefinition, ToolError, bind_service
from toolspec.shared.explanation import Explainer

CANARY = "CANARY9"
SECRET = {"type": "string", "writeOnly": True, "pattern": "^[a-z]+$"}
PASSWORD = {"type": "string", "format": "password", "enum": ["canary", "other"]}
SCHEMAS: list[Any] = [
    SECRET,
    PASSWORD,
    {"$ref": "#/$defs/Secret"},
    {"allOf": [{"writeOnly": True}, {"maxLength": 3}]},
    {"maxLength": 3, "allOf": [{"anyOf": [{"$ref": "#/$defs/Secret"}, {"type": "integer"}]}]},
    {"oneOf": [PASSWORD, SECRET]},
    {"not": {"type": "string"}, "writeOnly": True},
    {"if": {"minLength": 1}, "then": SECRET},
    {"const": "x", "format": "password"},
    {"type": "integer", "writeOnly": True},
    {"type": "string", "writeOnly": True, "pattern": "^(?:(?=a)a|a)+$"},
]
AROUND: list[Any] = [
    lambda schema: (schema, lambda value: value),
    lambda schema: ({"items": schema}, lambda value: [value]),
    lambda schema: (
        {"properties": {"a": schema}, "not": {"required": ["a"]}},
        lambda value: {"a": value},
    ),
    lambda schema: ({"additionalProperties": schema, "type": "array"}, lambda value: {"a": value}),
    lambda schema: ({"patternProperties": {"a": schema}, "enum": [1]}, lambda value: {"a": value}),
    lambda schema: ({"type": "integer", "items": schema}, lambda value: [value, "x"]),
]


SHORT = {"minLength": 99}
PATTERN = {"pattern": "^[0-9]+$"}
HELD = {"properties": {"pw": PASSWORD}}
BESIDE: dict[str, Any] = {
    "then": {**HELD, "if": {"required": ["pw"]}, "then": {"properties": {"pw": SHORT}}},
    "else": {**HELD, "if": {"required": ["x"]}, "else": {"properties": {"pw": SHORT}}},
    "if": {"if": HELD, "then": False, "else": {"properties": {"pw": SHORT}}},
    "second of allOf": {"allOf": [HELD, {"properties": {"pw": SHORT}}]},
    "first of allOf": {"allOf": [{"properties": {"pw": SHORT}}, HELD]},
    "dependentSchemas": {**HELD, "dependentSchemas": {"pw": {"properties": {"pw": PATTERN}}}},
    "by dependentSchemas": {"properties": {"pw": SHORT}, "dependentSchemas": {"pw": HELD}},
    "anyOf": {**HELD, "anyOf": [{"properties": {"pw": SHORT}}, {"required": ["zz"]}]},
    "oneOf of one type": {**HELD, "oneOf": [{"properties": {"pw": {"const": n}}} for n in "ab"]},
    "tag": {
        **HELD,
        "oneOf": [{"properties": {"pw": {"const": n}}, "required": ["pw"]} for n in "ab"],
    },
    "reference": {"$ref": "#/$defs/Held", "properties": {"pw": SHORT}},
    "dynamic reference": {"$dynamicRef": "#held", "properties": {"pw": SHORT}},
    "pattern of names": {"properties": {"pw": SHORT}, "patternProperties": {"^p": PASSWORD}},
    "other members": {"additionalProperties": PASSWORD, "allOf": [{"properties": {"pw": SHORT}}]},
    "unevaluated members": {
        "unevaluatedProperties": PASSWORD,
        "not": {"not": {"patternProperties": {"w": {"minLength": 1}}}},
        "anyOf": [{"properties": {"pw": SHORT}}, {"properties": {"pw": {"maxLength": 1}}}],
    },
    "deep": {**HELD, "allOf": [{"allOf": [{"then": {"properties": {"pw": SHORT}}, "if": True}]}]},
}


BESIDE_INSIDE: dict[str, Any] = {
    "around": (
        {
            "properties": {"pw": {"writeOnly": True}},
            "allOf": [{"properties": {"pw": {"properties": {"a": SHORT}}}}],
        },
        {"pw": {"a": CANARY}},
    ),
    "items": ({"items": SECRET, "allOf": [{"prefixItems": [SHORT]}]}, [CANARY]),
    "unevaluated items": (
        {"unevaluatedItems": SECRET, "prefixItems": [True], "allOf": [{"items": SHORT}]},
        ["x", CANARY],
    ),
    "contains": ({"contains": PASSWORD, "items": SHORT}, [CANARY]),
}
EVERY = {name: (schema, {"pw": CANARY}) for name, schema in BESIDE.items()} | BESIDE_INSIDE


@pytest.mark.parametrize(("schema", "value"), EVERY.values(), ids=EVERY)
def test_a_value_is_secret_in_the_errors_of_every_subschema(schema: Any, value: Any) -> None:
    arguments = {
        "type": "object",
        "properties": {"open": {"type": "integer"}, "held": schema},
        "$defs": {"Held": HELD, "Dynamic": {"$dynamicAnchor": "held", **HELD}},
    }
    registry = registry_of(arguments)
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act", {"held": value, "open": "shown"}))
    told = json.dumps(caught.value.to_wire())
    assert "$.held" in told
    assert '\\"shown\\" is not a whole number' in told
    assert CANARY not in told


def test_a_value_is_masked_if_finding_out_takes_too_long() -> None:
    branches = [{"properties": {"pw": {"minLength": number}}} for number in range(100, 200)]
    schema = {
        "properties": {"pw": SHORT, "open": {"type": "integer"}},
        "anyOf": [*branches, HELD],
    }
    value = {"pw": CANARY, "open": CANARY}
    for steps in (10, 50, 150, 1_000, 20_000):
        search = Explainer(schema).search(value, steps=steps)
        messages = [error.message for error in search.run()]
        assert not any(CANARY in message for message in messages if "shorter" in message)
        assert search.is_complete is any(CANARY in message for message in messages)


def registry_of(arguments: Any, output: Any = (), mode: Any = "strict") -> Any:
    definition = ToolDefinition(
        name="act",
        full_name="demo_act",
        method="act",
        arguments_schema=json.dumps(arguments),
        output_schema=json.dumps(dict(output)),
    )

    async def act(input: Any) -> Any:
        return CANARY

    service = ServiceDefinition(name="demo", tools=(definition,))
    return bind_service(service, {"act": act}, output_check=mode)


@pytest.mark.parametrize("schema", SCHEMAS, ids=range(len(SCHEMAS)))
@pytest.mark.parametrize("around", AROUND, ids=range(len(AROUND)))
def test_an_error_shows_no_secret(
    schema: Any, around: Any, caplog: pytest.LogCaptureFixture
) -> None:
    whole, holder = around(schema)
    arguments = {
        "type": "object",
        "properties": {"held": whole, "open": {"type": "integer"}},
        "$defs": {"Secret": SECRET},
    }
    value = "a" * 40 + CANARY if "(?=a)" in json.dumps(schema) else CANARY
    with pytest.raises(ToolError) as caught:
        asyncio.run(
            registry_of(arguments).call("demo_act", {"held": holder(value), "open": "shown"})
        )
    told = json.dumps(caught.value.to_wire())
    assert "$.held" in told
    assert '\\"shown\\" is not a whole number' in told
    assert CANARY not in told + caplog.text
    assert "canary`" not in told  # no nearest value, from which the secret could be guessed


@pytest.mark.parametrize("mode", ["strict", "warn"])
def test_the_log_quotes_no_result(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    registry = registry_of({"type": "object"}, {"type": "integer"}, mode)
    if mode == "strict":
        with pytest.raises(ToolError) as caught:
            asyncio.run(registry.call("demo_act"))
        assert CANARY not in json.dumps(caught.value.to_wire())
    else:
        assert asyncio.run(registry.call("demo_act")) == CANARY
    assert "$: the value is not a whole number" in caplog.text
    assert CANARY not in caplog.text


def test_the_log_quotes_no_argument_that_a_pattern_cannot_check(
    caplog: pytest.LogCaptureFixture,
) -> None:
    schema = {"properties": {"word": {"pattern": "^(?:(?=a)a|a)+$"}}}
    with pytest.raises(ToolError):
        asyncio.run(registry_of(schema).call("demo_act", {"word": "a" * 40 + CANARY}))
    assert "a pattern of the schema is too expensive: $.word" in caplog.text
    assert "aaa" not in caplog.text
