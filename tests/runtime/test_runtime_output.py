from __future__ import annotations

import asyncio
import enum
import json
from collections import OrderedDict

import pytest
from example_service import bound, echo, service, tool
from toolspec.runtime import Registry, ToolError, bind_service


def answering(value: object) -> object:
    async def handler(input: object) -> object:
        return value

    return handler


def registry_of(value: object, schema: object = True, **options: object) -> Registry:
    mutation = bool(options.pop("mutation", False))
    definition = tool(output_schema=json.dumps(schema), mutation=mutation)
    return bound(definition, answering(value), **options)  # type: ignore[arg-type]


def output_error(registry: Registry) -> ToolError:
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert caught.value.category == "output"
    return caught.value


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


NOTHING: dict[str, object] = {"not": {}}
LOOP: list[object] = []
LOOP.append(LOOP)


@pytest.mark.parametrize("mode", ["strict", "warn", "off"])
@pytest.mark.parametrize(
    ("value", "path"),
    [
        (float("nan"), "$"),
        ([1.0, float("-inf")], "$[1]"),
        ({"a": [{"b c": "\ud800"}]}, '$.a[0]["b c"]'),
        ({"\ud800": 1}, "$"),
        ({1: 2}, "$"),
        ({"a": {1, 2}}, "$.a"),
        (b"bytes", "$"),
        (object(), "$"),
        ([10**5000], "$[0]"),
        (LOOP, "$" + "[0]" * 200),
    ],
)
def test_what_json_cannot_carry_is_never_sent(value: object, path: str, mode: str) -> None:
    error = output_error(registry_of(value, output_check=mode))
    assert [(field.path, field.code) for field in error.field_errors] == [(path, "json")]
    json.dumps(error.to_wire()).encode()


def test_what_python_holds_beside_plain_json_is_sent_as_plain_json() -> None:
    value = OrderedDict(
        colour=Colour.RED,
        level=Level.LOW,
        pair=(1, 2),
        none=None,
        yes=True,
        text="日本",
        big=10**40,
    )
    result = asyncio.run(registry_of({Colour.RED: value}).call("demo_act"))
    assert result == {
        "red": {
            "colour": "red",
            "level": 1,
            "pair": [1, 2],
            "none": None,
            "yes": True,
            "text": "日本",
            "big": 10**40,
        }
    }
    inner = result["red"]
    assert isinstance(inner, dict)
    kinds = [type(result), *map(type, result), *map(type, inner.values())]
    assert kinds == [dict, str, str, int, list, type(None), bool, str, int]


def test_an_answer_outside_its_schema_is_an_error_that_quotes_none_of_it() -> None:
    schema = {
        "properties": {
            "id": {"type": "integer"},
            "owner": {"anyOf": [{"type": "null"}, {"type": "array"}]},
        },
        "required": ["name"],
    }
    error = output_error(registry_of({"id": "s3cret", "owner": "s3cret"}, schema))
    fields = {(field.path, field.code): field.message for field in error.field_errors}
    assert fields[("$.name", "required")] == "is missing"
    assert fields[("$.id", "type")] == "the value is not a whole number"
    assert ("$.owner", "anyOf") in fields
    assert "s3cret" not in json.dumps(error.to_wire())
    assert not error.retryable


def test_a_mutation_says_that_its_effect_may_have_happened() -> None:
    assert (
        "effect may have happened" in output_error(registry_of(1, NOTHING, mutation=True)).message
    )
    assert "effect" not in output_error(registry_of(1, NOTHING)).message


def test_warn_logs_what_is_wrong_and_sends_it(caplog: pytest.LogCaptureFixture) -> None:
    registry = registry_of("x", {"type": "integer"}, output_check="warn")
    assert asyncio.run(registry.call("demo_act")) == "x"
    assert "the result violates its schema: $: the value is not a whole number" in caplog.text


def test_off_sends_without_looking_at_the_schema(caplog: pytest.LogCaptureFixture) -> None:
    registry = registry_of("x", {"type": "integer"}, output_check="off")
    assert asyncio.run(registry.call("demo_act")) == "x"
    assert not caplog.records


def test_a_schema_that_does_not_compile_never_lets_a_call_through() -> None:
    registry = bound(tool(arguments_schema={"type": "nonsense"}), answering(1))
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert caught.value.category == "internal"


def test_no_schema_is_ever_fetched() -> None:
    registry = registry_of(1, {"$ref": "https://example.com/schema.json"})
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert caught.value.category == "internal"


@pytest.mark.parametrize("verdict", ["false", "reason", "error", "defect"])
def test_a_failed_verification_is_an_error_with_the_output(
    verdict: str, caplog: pytest.LogCaptureFixture
) -> None:
    def verify_act(input: object, output: object) -> bool | str:
        if verdict == "reason":
            return "the disk is empty"
        if verdict == "error":
            raise ToolError.not_found("it is not there", code="gone", details={"id": 7})
        if verdict == "defect":
            raise RuntimeError("secret path")
        return False

    definition = tool(verify=True, mutation=True)
    registry = bind_service(service(definition), {"act": echo, "verify_act": verify_act})
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act", {"a": 1}))
    error = caught.value
    assert error.category == "verification"
    assert error.details["output"] == {"a": 1}
    assert not error.retryable
    if verdict == "reason":
        assert error.message == "`demo_act` ran, but its check failed: the disk is empty"
    if verdict == "error":
        assert (error.code, error.message, error.details["id"]) == ("gone", "it is not there", 7)
    if verdict == "defect":
        assert "secret path" not in str(error.to_wire())
        assert "secret path" in caplog.text
