"""Who holds the values of a call: a copy at each end, or caller and handler the same ones."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from example_service import ANY, bound, echo, tool
from toolspec.runtime import Registry, ToolDefinition, ToolError

NAMED = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "tags": {"type": "array"}},
    "required": ["name"],
    "additionalProperties": False,
}
GIVEN: dict[str, Any] = {"name": "a", "tags": ["b"]}
LINKED = {"type": "object", "properties": {"next": {"$ref": "#"}}}


def shared(definition: ToolDefinition, handler: Any = echo) -> Registry:
    return bound(definition, handler).with_controls(copies=False)


def call(registry: Registry, given: Any) -> Any:
    return asyncio.run(registry.call("demo_act", given))


def refusal(registry: Registry, given: Any) -> ToolError:
    with pytest.raises(ToolError) as caught:
        call(registry, given)
    return caught.value


def named(**fields: Any) -> ToolDefinition:
    return tool(arguments_schema=NAMED, output_schema=NAMED, **fields)


def test_each_end_has_a_copy() -> None:
    seen: list[Any] = []

    async def handler(input: Any) -> Any:
        seen.append(input)
        return input

    result = call(bound(named(), handler), GIVEN)
    assert result == seen[0] == GIVEN
    assert len({id(each["tags"]) for each in (GIVEN, seen[0], result)}) == 3


def test_both_ends_hold_one_value_where_copies_are_not_wanted() -> None:
    assert call(shared(named()), GIVEN) is GIVEN


def test_everything_wrong_is_told_of_all_the_same() -> None:
    error = refusal(shared(named()), {"tags": 1, "nmae": "a"})
    assert error.category == "validation"
    assert {each.path for each in error.field_errors} == {"$.name", "$.tags", "$.nmae"}


@pytest.mark.parametrize("value", [datetime.now(UTC), {1}, b"a", object()])
def test_what_json_has_not_is_told_of_where_the_schema_looks(value: object) -> None:
    definition = tool(output_schema={"properties": {"at": {"type": "string"}}})

    async def handler(input: Any) -> Any:
        return {"at": value}

    error = refusal(shared(definition, handler), {})
    assert error.category == "output"
    assert [each.path for each in error.field_errors] == ["$.at"]


def test_what_the_schema_takes_after_a_second_look_is_plain() -> None:
    class Name(str):
        __slots__ = ()

    made = call(shared(named()), {"name": Name("a")})
    assert type(made["name"]) is str


def test_a_default_is_never_written_into_the_callers_value() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string", "default": "a"}}}
    given: dict[str, Any] = {}
    assert call(shared(tool(arguments_schema=schema, output_schema=ANY)), given) == {"name": "a"}
    assert given == {}


def test_a_check_that_goes_as_deep_as_its_value_gets_a_copy() -> None:
    given: dict[str, Any] = {}
    for _ in range(100_000):
        given = {"next": given}
    error = refusal(shared(tool(arguments_schema=LINKED, output_schema=ANY)), given)
    assert error.field_errors[0].code == "json"
    assert "nested deeper than 200" in error.field_errors[0].message


def test_what_stands_around_a_handler_holds_values_of_its_own() -> None:
    async def before(call: Any) -> None:
        call.input["tags"].append("hook")

    registry = shared(named()).with_hooks(before=[before])
    assert call(registry, GIVEN) == {"name": "a", "tags": ["b", "hook"]}
    assert GIVEN == {"name": "a", "tags": ["b"]}


def test_chunks_are_copies() -> None:
    async def handler(input: Any) -> Any:
        grown: list[int] = []
        for number in range(3):
            grown.append(number)
            yield grown

    definition = tool(
        streaming=True, reduction="list", chunk_schema={"type": "array"}, output_schema=ANY
    )
    assert call(shared(definition, handler), {}) == [[0], [0, 1], [0, 1, 2]]
