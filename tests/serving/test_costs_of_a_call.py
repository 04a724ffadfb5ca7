"""What an invalid call may cost: steps of an explanation, bytes of an answer; and how large a result may be."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counted_calls import calls
from sampling import sampled
from served import LEGACY, MODERN, connected, http, make_handled, stdio
from toolspec.runtime import ServiceDefinition, ToolDefinition, ToolError, bind_service
from toolspec.runtime.errors import FieldError
from toolspec.serving.results import compact, failure
from toolspec.shared.explanation import MAX_STEPS, Explainer
from toolspec.shared.validator import compiled

HERE = Path(__file__).parent
REFUSAL = 8 * 1024
INTEGERS: Any = {"items": {"type": "integer"}}
UNION: Any = {"items": {"anyOf": [{"type": "integer"}, {"required": ["a"], "type": "object"}]}}
KNOWN = {f"property{number}": True for number in range(300)}

LARGE: list[tuple[Any, Any]] = [
    (INTEGERS, ["x"] * 150_000),
    (INTEGERS, [1] * 150_000 + ["x"]),
    (UNION, [{"z": 1}] * 150_000),
    (UNION, [1] * 150_000 + [{"z": 1}]),
    ({"allOf": [INTEGERS] * 50}, [1] * 100_000 + ["x"]),
    ({"oneOf": [INTEGERS, {"items": {"type": "number"}}]}, [1] * 150_000),
    ({"contains": {"type": "string"}}, [1] * 150_000),
    ({"not": INTEGERS}, [1] * 150_000),
    ({"uniqueItems": True}, [[number] * 50 for number in range(5_000)] + [[3] * 50]),
    ({"items": {"enum": [[1] * 50 + [last] for last in range(200)]}}, [[1] * 51] * 500 + [[0]]),
    (
        {"properties": KNOWN, "additionalProperties": False},
        {f"propertyx{number}": 1 for number in range(100_000)},
    ),
    (
        {"propertyNames": {"maxLength": 10}},
        {**{f"k{number}": 1 for number in range(50_000)}, "k" * 20: 1},
    ),
    ({"items": {"pattern": "^(?:(?=a)a|a)+$"}}, ["a" * 40 + "!"] * 40),
]


@pytest.mark.parametrize(("schema", "value"), LARGE, ids=range(len(LARGE)))
def test_an_explanation_takes_few_calls_however_large_the_value(schema: Any, value: Any) -> None:
    assert not compiled(schema)(value)
    errors: list[Any] = []
    search = Explainer(schema).search(value)
    # A step is a few calls of Python: nothing expensive goes uncounted.
    assert calls(lambda: errors.extend(search.run())) < 10 * MAX_STEPS
    assert errors
    assert search.spent <= MAX_STEPS


def arguments_check(schema: Any, handler: Any) -> Any:
    definition = ToolDefinition(
        name="act", full_name="demo_act", method="act", arguments_schema=json.dumps(schema)
    )
    return bind_service(ServiceDefinition(name="demo", tools=(definition,)), {"act": handler})


@pytest.mark.parametrize("is_staged", [False, True])
def test_a_long_explanation_leaves_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, is_staged: bool
) -> None:
    threads: list[bool] = []
    explain = Explainer.errors

    def watched(*arguments: Any, **named: Any) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return explain(*arguments, **named)

    monkeypatch.setattr(Explainer, "errors", watched)

    async def hook(call: Any) -> None:
        raise AssertionError

    schema = {"type": "object", "properties": {"xs": {"allOf": [INTEGERS] * 50}}}
    registry = arguments_check(schema, lambda input: input)
    if is_staged:
        registry = registry.with_hooks(before=[hook])
    with pytest.raises(ToolError, match=r"\$\.xs\[50000\]"):
        asyncio.run(registry.call("demo_act", {"xs": [1] * 50_000 + ["x"]}))
    assert threads == [False]
    with pytest.raises(ToolError, match=r"\$\.xs\[1\]"):
        asyncio.run(registry.call("demo_act", {"xs": [1, "x"]}))
    assert threads == [False]  # what is found at once needs no thread


@pytest.mark.parametrize("letter", ["a", "😀", '"', "\ud800\n"])
@pytest.mark.parametrize("count", [1, 100])
def test_the_answer_to_an_invalid_call_is_small(letter: str, count: int) -> None:
    properties = {f"p{number}": {"type": "integer"} for number in range(count)}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    known = dict.fromkeys(properties, letter * 100000)
    unknown = {f"{number}{letter * 30_000}": 1 for number in range(count)}

    for arguments in (known, unknown, {**known, **unknown}):
        with pytest.raises(ToolError) as caught:
            arguments_check(schema, lambda input: input).checked("demo_act", arguments)
        text = compact(failure(caught.value))
        assert len(text.encode(errors="backslashreplace")) <= REFUSAL
        assert json.loads(text)["isError"]


def test_what_a_handler_says_is_its_own() -> None:
    fields = [FieldError(path=f"$.{n}", code="x", message="m" * 200) for n in range(100)]
    error = ToolError.conflict("taken", field_errors=fields)
    assert failure(error)["_meta"]["toolspec"]["error"]["field_errors"][99]  # type: ignore[index,call-overload]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("large") / "project", HERE / "large.yaml")


@pytest.fixture(scope="module")
def address(large: Path) -> Iterator[str]:
    with http(large, "--handlers", "app:Large") as address:
        yield address


@pytest.mark.parametrize("mode", sampled([MODERN, LEGACY], 1))
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_result_is_as_large_as_its_tool_allows(
    large: Path, address: str, mode: str, transport: str
) -> None:
    server = address if transport == "http" else stdio(large, "--handlers", "app:Large")
    limits = {"usual": 1_000_000, "small": 1000, "told": 1000}
    if (transport, mode) != ("http", LEGACY):  # whose client takes events of 1 MiB at most
        limits["big"] = 3_000_000
    with connected(server, mode) as client:
        for tool, limit in limits.items():
            assert not client.call(f"large_{tool}", {"size": limit // 2 - 100}).is_error
            result = client.call(f"large_{tool}", {"size": limit // 2})
            assert result.is_error
            error = result.meta["toolspec"]["error"]
            assert (error["code"], error["category"]) == ("result_too_large", "output")
            assert error["details"]["limit"] == limit
            assert len(error["request_id"]) == 16
        result, reports = client.reports("large_told", {"size": 5000})
        assert result.meta["toolspec"]["error"]["code"] == "result_too_large"
        assert len(reports) == 10  # what fits; the handler was closed then
