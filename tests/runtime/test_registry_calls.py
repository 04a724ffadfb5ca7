from __future__ import annotations

import asyncio
import copy
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.runtime import (
    BindError,
    Context,
    Failure,
    Registry,
    ToolError,
    bind_service,
    merge,
)
from toolspec.shared.validator import is_native

if TYPE_CHECKING:
    from collections.abc import Generator

PAGES = {
    "type": "object",
    "properties": {
        "page": {"type": "integer", "minimum": 1, "default": 1},
        "filter": {
            "type": "object",
            "properties": {"state": {"enum": ["open", "closed"], "default": "open"}},
            "additionalProperties": False,
        },
        "labels": {"type": "array", "items": {"$ref": "#/$defs/Label"}},
        "per_page": {"type": "integer"},
    },
    "required": ["per_page"],
    "additionalProperties": False,
    "$defs": {
        "Label": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "colour": {"default": "grey"}},
        }
    },
}


def failure(registry: Registry, name: str, arguments: object = None) -> ToolError:
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call(name, arguments))  # type: ignore[arg-type]
    return caught.value


def test_a_call_returns_what_the_handler_returns() -> None:
    async def add(input: dict[str, int], ctx: Context) -> int:
        assert ctx.tool == "demo_act"
        return input["a"] + input["b"]

    assert asyncio.run(bound(tool(), add).call("demo_act", {"a": 1, "b": 2})) == 3


def test_defaults_are_filled_in_at_any_depth() -> None:
    registry = bound(tool(arguments_schema=PAGES), echo)
    arguments = {"per_page": 5, "filter": {}, "labels": [{"name": "a"}]}
    assert asyncio.run(registry.call("demo_act", arguments)) == {
        "per_page": 5,
        "page": 1,
        "filter": {"state": "open"},
        "labels": [{"name": "a", "colour": "grey"}],
    }


def test_a_default_is_not_shared_between_calls() -> None:
    seen = []

    async def collect(input: dict[str, list[int]]) -> None:
        input["items"].append(1)
        seen.append(list(input["items"]))

    schema = {"type": "object", "properties": {"items": {"type": "array", "default": []}}}
    registry = bound(tool(arguments_schema=schema), collect)
    asyncio.run(registry.call("demo_act"))
    asyncio.run(registry.call("demo_act"))
    assert seen == [[1], [1]]


def test_every_error_of_the_arguments_is_reported_at_once() -> None:
    registry = bound(tool(arguments_schema=PAGES), echo)
    arguments = {"page": 0, "filter": {"state": "shut", "a b": 1}, "labels": [1], "perpage": 5}
    error = failure(registry, "demo_act", arguments)
    assert error.category == "validation"
    found = {(field.path, field.code): field.message for field in error.field_errors}
    assert found == {
        ("$.per_page", "required"): "is missing",
        ("$.page", "minimum"): "0 is less than the minimum of 1",
        ("$.filter.state", "enum"): '"shut" is not one of "open" or "closed"',
        ('$.filter["a b"]', "additionalProperties"): "is not known",
        ("$.labels[0]", "type"): "1 is not an object",
        ("$.perpage", "additionalProperties"): "is not known; did you mean `per_page`?",
    }


def test_a_key_of_digits_is_a_key_and_no_index() -> None:
    schema = {"additionalProperties": {"items": {"type": "string"}}}
    error = failure(bound(tool(arguments_schema=schema), echo), "demo_act", {"404": ["a", 1]})
    assert error.field_errors[0].path == '$["404"][1]'


def test_an_unknown_key_below_a_key_of_digits_or_none_is_told() -> None:
    inside = {"properties": {"yes": {"type": "integer"}}, "additionalProperties": False}
    schema = {"properties": {"1": inside, "": inside, "yes": {}}}
    given = {"1": {"yas": 1}, "": {"no": 2, "yes": "3"}, "yes": {"": {"yes": 4}}}
    error = failure(bound(tool(arguments_schema=schema), echo), "demo_act", given)
    assert {each.path: each.message for each in error.field_errors} == {
        '$["1"].yas': "is not known; did you mean `yes`?",
        '$[""].yes': '"3" is not a whole number',
        '$[""].no': "is not known",
    }


def test_an_object_that_may_have_no_members_names_those_it_has() -> None:
    closed = {"type": "object", "additionalProperties": False}
    schema = {**closed, "properties": {"list": {"items": closed}, "none": False}}
    given = {"list": [{}, {"": 1, "b": 2}], "none": 1}
    error = failure(bound(tool(arguments_schema=schema), echo), "demo_act", given)
    assert {each.path: each.message for each in error.field_errors} == {
        '$.list[1][""]': "is not known",
        "$.list[1].b": "is not known",
        "$.none": "is not allowed here",
    }
    error = failure(bound(tool(arguments_schema=closed), echo), "demo_act", {"a": 1, "b": 2})
    assert [each.path for each in error.field_errors] == ["$.a", "$.b"]


def test_alternatives_of_other_types_name_the_types() -> None:
    schema = {"properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}
    error = failure(bound(tool(arguments_schema=schema), echo), "demo_act", {"id": "x"})
    (field,) = error.field_errors
    assert (field.path, field.code) == ("$.id", "anyOf")
    assert field.message == '"x" is not a whole number or null'


def test_a_long_value_does_not_fill_the_message() -> None:
    schema = {"properties": {"id": {"type": "integer"}}}
    error = failure(bound(tool(arguments_schema=schema), echo), "demo_act", {"id": "x" * 10_000})
    assert len(str(error)) < 500
    assert error.field_errors[0].message.endswith("is not a whole number")


def test_errors_are_counted_up_to_a_hundred() -> None:
    schema = {"properties": {"ids": {"items": {"type": "integer"}}}}
    error = failure(bound(tool(arguments_schema=schema), echo), "demo_act", {"ids": ["x"] * 5000})
    assert len(error.field_errors) == 100
    assert "and 95 more" in error.message


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"a": float("nan")}, "$.a"),
        ({"a": [0, float("inf")]}, "$.a[1]"),
        ({"a": {"b": "\ud800"}}, "$.a.b"),
        ({"a": {1: 2}}, "$.a"),
        ({"a": {1, 2}}, "$.a"),
    ],
)
def test_arguments_that_are_no_json_are_refused(arguments: object, path: str) -> None:
    error = failure(bound(tool(), echo), "demo_act", arguments)
    assert [(field.path, field.code) for field in error.field_errors] == [(path, "json")]


def test_arguments_have_to_be_an_object() -> None:
    error = failure(bound(tool(), echo), "demo_act", ["a"])
    assert [(field.path, field.code) for field in error.field_errors] == [("$", "type")]


def test_nesting_without_end_is_refused() -> None:
    loop: dict[str, object] = {}
    loop["again"] = [loop, loop]
    error = failure(bound(tool(), echo), "demo_act", loop)
    assert "nested deeper than 200" in error.message


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from("abc"), json_values))
@settings(derandomize=True, max_examples=60)
def test_whatever_the_handler_does_the_caller_keeps_its_arguments(
    arguments: dict[str, object],
) -> None:
    async def ruin(input: dict[str, object]) -> object:
        for value in list(input.values()):
            if isinstance(value, (dict, list)):
                value.clear()
        input.clear()
        return None

    before = copy.deepcopy(arguments)
    asyncio.run(bound(tool(), ruin).call("demo_act", arguments))
    assert arguments == before


@given(st.dictionaries(st.sampled_from("abc"), json_values))
@settings(derandomize=True, max_examples=60)
def test_any_json_passes_through_unchanged(arguments: dict[str, object]) -> None:
    assert asyncio.run(bound(tool(), echo).call("demo_act", arguments)) == arguments


def test_the_result_is_not_the_handlers_own_object() -> None:
    kept = {"items": [1]}

    async def cached(input: object) -> object:
        return kept

    result = asyncio.run(bound(tool(), cached).call("demo_act"))
    assert isinstance(result, dict)
    result["items"] = None
    assert kept == {"items": [1]}


def test_free_form_text_reaches_the_handler_as_a_string() -> None:
    schema = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
    registry = bound(tool(input_form="text", arguments_schema=schema), echo)
    assert asyncio.run(registry.call("demo_act", {"input": "hello"})) == "hello"
    assert failure(registry, "demo_act", {}).field_errors[0].path == "$.input"


def test_raw_arguments_arrive_as_they_are() -> None:
    registry = bound(tool(input_form="raw"), echo)
    assert asyncio.run(registry.call("demo_act", {"x": [1]})) == {"x": [1]}


def test_the_idempotency_key_is_the_contexts_and_not_the_handlers() -> None:
    async def keyed(input: object, ctx: Context) -> object:
        return [input, ctx.idempotency_key]

    schema = {
        "type": "object",
        "properties": {"idempotency_key": {"type": "string"}, "a": {}},
        "required": ["idempotency_key"],
    }
    registry = bound(tool(idempotency="required", arguments_schema=schema), keyed)
    arguments = {"a": 1, "idempotency_key": "k1"}
    assert asyncio.run(registry.call("demo_act", arguments)) == [{"a": 1}, "k1"]
    assert failure(registry, "demo_act", {"a": 1}).field_errors[0].path == "$.idempotency_key"


def test_a_plain_function_runs_in_a_worker_thread() -> None:
    def blocking(input: object) -> bool:
        return threading.current_thread() is threading.main_thread()

    assert asyncio.run(bound(tool(), blocking).call("demo_act")) is False


@pytest.mark.parametrize("awaitable", ["coroutine", "object"])
def test_a_plain_function_may_return_what_is_to_be_awaited(awaitable: str) -> None:
    seen: list[object] = []

    class Later:
        def __init__(self, input: object) -> None:
            self.input = input

        def __await__(self) -> Generator[object, None, object]:
            yield from asyncio.sleep(0).__await__()
            return self.input

    async def in_the_loop(input: object, ctx: Context) -> object:
        seen.append(threading.current_thread() is threading.main_thread())
        ctx.progress(2)
        return await Later(input)

    def act(input: object, ctx: Context) -> object:
        ctx.progress(1)
        return Later(input) if awaitable == "object" else in_the_loop(input, ctx)

    heard: list[float | None] = []
    call = bound(tool(), act).call(
        "demo_act", {"a": 1}, on_progress=lambda report: heard.append(report.value)
    )
    assert asyncio.run(call) == {"a": 1}
    assert (heard, seen) == (([1], []) if awaitable == "object" else ([1, 2], [True]))


def test_what_a_plain_verify_returns_is_awaited_too() -> None:
    async def in_the_loop(output: object) -> bool:
        return output == "right"

    def verify(input: object, output: object) -> object:
        return in_the_loop(output)

    definition = tool(mutation=True, verify=True)
    for output, code in (("right", ""), ("wrong", "verification")):
        handlers = {"act": lambda input, output=output: output, "verify_act": verify}
        registry = bind_service(service(definition), handlers)
        answer = asyncio.run(_outcome(registry))
        assert getattr(answer, "category", "") == code


async def _outcome(registry: Registry) -> object:
    try:
        return await registry.call("demo_act")
    except ToolError as problem:
        return problem


def test_a_worker_that_lets_a_stop_iteration_out_fails_and_does_not_hang() -> None:
    def blocking(input: object) -> object:
        return next(iter(()))

    registry = bound(tool(), blocking)

    async def main() -> None:
        await asyncio.wait_for(registry.call("demo_act"), 10)

    with pytest.raises(ToolError, match="internal"):
        asyncio.run(main())


def test_ctx_may_be_left_out_or_taken_by_keyword() -> None:
    async def by_keyword(input: object, *, ctx: Context) -> str:
        return ctx.tool

    async def with_own_option(input: object, limit: int = 3) -> int:
        return limit

    async def anything(*given: object) -> int:
        return len(given)

    assert asyncio.run(bound(tool(), by_keyword).call("demo_act")) == "demo_act"
    assert asyncio.run(bound(tool(), with_own_option).call("demo_act")) == 3
    assert asyncio.run(bound(tool(), anything).call("demo_act")) == 2


def test_an_unknown_tool_is_answered_with_the_nearest_names() -> None:
    error = failure(bound(tool("listIssues"), echo), "demo_listIssue")
    assert (error.category, error.code) == ("not_found", "unknown_tool")
    assert error.message == "there is no tool `demo_listIssue`; did you mean `demo_listIssues`?"
    assert error.request_id


@pytest.mark.parametrize("name", [None, 5, ("demo_act",), ["demo_act"], {}])
def test_a_name_that_is_no_text_is_an_unknown_tool_everywhere(name: object) -> None:
    told: list[str] = []

    async def note(failed: Failure) -> None:
        told.append(failed.error.code)

    registry = bound(tool(), echo).with_hooks(on_error=[note])

    async def streamed() -> None:
        await anext(registry.stream(name))  # type: ignore[arg-type]

    called = failure(registry, name)  # type: ignore[arg-type]
    assert called.code == "unknown_tool"
    assert f"must be a string, not {type(name).__name__}" in called.message
    with pytest.raises(ToolError, match="must be a string"):
        asyncio.run(streamed())
    for look_up in (registry.definition, registry.checked):
        with pytest.raises(ToolError, match="must be a string"):
            look_up(name)  # type: ignore[arg-type]
    assert told == ["unknown_tool", "unknown_tool"]


def test_names_lead_to_versions_and_aliases_by_table() -> None:
    def version_tool(version: str, **more: object) -> object:
        method = "act" + version.replace(".", "_").replace("-", "_")
        return tool(version=version, method=method, **more)

    versions = ["1.0", "1.10.0", "1.9", "2.0.0-rc.1"]
    definitions = [version_tool(version, aliases=("demo_run",)) for version in versions]
    handlers = {one.method: _saying(one.version) for one in definitions}  # type: ignore[attr-defined]
    registry = bind_service(service(*definitions), handlers)  # type: ignore[arg-type]
    asked = ["demo_act", "demo_act@1.9", "demo_act@1.0", "demo_run", "demo_run@1.10.0"]
    got = [asyncio.run(registry.call(name)) for name in asked]
    assert got == ["2.0.0-rc.1", "1.9", "1.0", "2.0.0-rc.1", "1.10.0"]
    assert registry.definition("demo_run@1.9").version == "1.9"
    assert failure(registry, "demo_act@3").code == "unknown_tool"


def _saying(text: str) -> object:
    async def say(input: object) -> str:
        return text

    return say


def test_a_release_comes_after_its_candidates_and_before_the_next() -> None:
    versions = ["1.0.0-rc.2", "1.0.0-rc.10", "1.0.0-1", "1.0.0", "1.0.1", "1.0.0+build"]
    definitions = [tool(version=one, method=f"m{index}") for index, one in enumerate(versions)]
    handlers = {one.method: _saying(one.version) for one in definitions}
    registry = bind_service(service(*definitions), handlers)
    assert registry.definition("demo_act").version == "1.0.1"
    without = [one for one in definitions if one.version != "1.0.1"]
    kept = {one.method: handlers[one.method] for one in without}
    assert bind_service(service(*without), kept).definition("demo_act").version == "1.0.0"


def test_an_unversioned_tool_answers_to_any_version() -> None:
    registry = bound(tool(), echo)
    assert asyncio.run(registry.call("demo_act@1.0")) == asyncio.run(registry.call("demo_act"))


def test_registries_merge_in_order() -> None:
    one = bind_service(service(tool("a")), {"a": _saying("a")})
    two = bind_service(service(tool("b")), {"b": _saying("b")})
    whole = merge(one, two)
    assert [definition.name for definition in whole.tools] == ["a", "b"]
    assert asyncio.run(whole.call("demo_b")) == "b"
    assert repr(whole) == "Registry(demo, demo: 2 tools)"


def test_merging_names_every_clash_in_one_message() -> None:
    one = bind_service(
        service(tool("a", source="x.yaml:1"), tool("b", source="x.yaml:9")),
        {"a": echo, "b": echo},
    )
    other = bind_service(
        service(tool("a", source="y.yaml:2"), tool("c", aliases=("demo_b",), source="y.yaml:5")),
        {"a": echo, "c": echo},
    )
    with pytest.raises(BindError) as caught:
        merge(one, other)
    assert str(caught.value) == (
        "these services conflict: names of two tools\n"
        "  - `demo_a`: x.yaml:1 and y.yaml:2\n"
        "  - `demo_b`: x.yaml:9 and y.yaml:5"
    )


def test_handlers_may_be_an_object_with_functions_set_on_it() -> None:
    handlers = SimpleNamespace(act=echo)
    registry = bind_service(service(tool()), handlers)
    assert asyncio.run(registry.call("demo_act", {"a": 1})) == {"a": 1}


def test_a_registry_serves_event_loops_of_several_threads() -> None:
    registry = bound(tool(), echo)
    results: list[object] = []

    def run() -> None:
        results.extend(asyncio.run(registry.call("demo_act", {"n": n})) for n in range(20))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80


def test_a_pattern_that_is_too_expensive_is_not_the_callers_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    schema = {"properties": {"word": {"type": "string", "pattern": "^(?:(?=a)a|a)+$"}}}
    registry = bound(tool(arguments_schema=schema), echo)
    error = failure(registry, "demo_act", {"word": "a" * 40 + "!"})
    assert (error.category, error.retryable) == ("internal", False)
    assert "the pattern `^(?:(?=a)a|a)+$` of the schema is too expensive" in error.message
    assert "too expensive" in caplog.text
    if is_native():  # the package jsonschema never runs such a pattern
        wrong = failure(registry, "demo_act", {"word": "b"})
        assert wrong.category == "validation"
