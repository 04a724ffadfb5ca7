"""Seed 000, Redop: hooks around handlers, checks of plain JSON Schema, tasks, progress, cancellation."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from served import LEGACY, Connection, connected, http, stdio
from specs_bound import HOOKS_IN_ORDER, NOTE, QuietHooks, agreeing, bound, failure
from toolspec.runtime import Context, Failure, Registry, ToolError

QUESTION = {"query": "bread"}
FOUND = {"notes": [NOTE], "total": 1}


class Searching:
    async def search(self, input: Any) -> Any:
        return FOUND


class Tracing(QuietHooks):
    """The hooks of the notes, writing down that they ran."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def check_writable(self, call: Any) -> None:
        self.seen.append("before")

    async def in_transaction(self, call: Any, next: Any) -> object:
        self.seen.append("middleware in")
        result = await next()
        self.seen.append("middleware out")
        return result

    async def cache_results(self, call: Any, next: Any) -> object:
        self.seen.append("tool middleware in")
        result = await next()
        self.seen.append("tool middleware out")
        return result

    async def mark_matches(self, call: Any, result: Any) -> object:
        self.seen.append("tool after")
        return None

    async def strip_private_tags(self, call: Any, result: Any) -> object:
        self.seen.append("after")
        return None

    async def count_use(self, call: Any, outcome: Any) -> None:
        self.seen.append(f"afterResponse {outcome.status}")

    async def reject_known_title(self, call: Any) -> None:
        self.seen.append("tool before")

    async def forget_cached(self, call: Any, outcome: Any) -> None:
        self.seen.append(f"tool afterResponse {outcome.status}")


async def settled(registry: Registry, name: str, arguments: Any) -> object:
    try:
        return await registry.call(name, arguments)
    except ToolError as error:
        return error
    finally:
        await registry.settled()


def test_hooks_and_middleware_run_in_the_documented_order_in_process() -> None:
    hooks = Tracing()

    class Handlers:
        async def search(self, input: Any) -> Any:
            hooks.seen.append("handler")
            return FOUND

    registry = bound("notes", Handlers, hooks=hooks)
    assert asyncio.run(settled(registry, "notes_search", QUESTION)) == FOUND
    assert hooks.seen == HOOKS_IN_ORDER


def test_local_hooks_stand_inside_those_of_the_service() -> None:
    hooks = Tracing()

    class Handlers:
        async def create(self, input: Any) -> Any:
            return NOTE

        async def delete(self, input: Any) -> Any:
            return NOTE

    registry = agreeing(bound("notes", Handlers, hooks=hooks))
    asyncio.run(settled(registry, "notes_create", {"title": "Bread"}))
    assert hooks.seen[:2] == ["before", "tool before"]
    hooks.seen.clear()
    asyncio.run(settled(registry, "notes_delete", {"id": "n1"}))
    assert hooks.seen[-2:] == ["tool afterResponse ok", "afterResponse ok"]


def test_middleware_may_answer_without_the_handler() -> None:
    class Caching(QuietHooks):
        async def cache_results(self, call: Any, next: Any) -> object:
            return FOUND

    assert asyncio.run(bound("notes", hooks=Caching()).call("notes_search", QUESTION)) == FOUND


def test_an_after_that_replaces_and_one_that_throws() -> None:
    class Replacing(QuietHooks):
        async def mark_matches(self, call: Any, result: Any) -> object:
            return {"notes": [], "total": 0}

        async def strip_private_tags(self, call: Any, result: Any) -> object:
            raise RuntimeError("the tags are gone")

    registry = bound("notes", Searching, hooks=Replacing())
    assert asyncio.run(registry.call("notes_search", QUESTION)) == {"notes": [], "total": 0}


def test_an_after_that_throws_keeps_the_result() -> None:
    class Throwing(QuietHooks):
        async def mark_matches(self, call: Any, result: Any) -> object:
            raise RuntimeError("no marks today")

    registry = bound("notes", Searching, hooks=Throwing())
    assert asyncio.run(registry.call("notes_search", QUESTION)) == FOUND


def test_an_after_response_that_throws_changes_nothing() -> None:
    class Throwing(QuietHooks):
        async def count_use(self, call: Any, outcome: Any) -> None:
            raise RuntimeError("the counter is full")

    registry = bound("notes", Searching, hooks=Throwing())
    assert asyncio.run(settled(registry, "notes_search", QUESTION)) == FOUND


def test_after_response_runs_for_failures_too() -> None:
    hooks = Tracing()
    error = asyncio.run(settled(bound("notes", hooks=hooks), "notes_search", QUESTION))
    assert isinstance(error, ToolError)
    assert hooks.seen[-1] == "afterResponse failed"


def test_wrong_input_for_a_plain_json_schema_is_rejected_before_any_hook() -> None:
    hooks = Tracing()
    error = failure(bound("notes", hooks=hooks).call("notes_search", {"query": "", "limit": 0}))
    assert {each.path for each in error.field_errors} == {"$.query", "$.limit"}
    assert "before" not in hooks.seen


def test_on_error_sees_that_rejection_once() -> None:
    told: list[str] = []

    async def listen(seen: Failure) -> None:
        told.append(seen.error.category)

    registry = bound("notes", Searching).with_hooks(on_error=[listen])
    failure(registry.call("notes_search", {}))
    assert told == ["validation"]


def test_a_tool_without_an_input_schema_refuses_arguments() -> None:
    assert failure(bound("notes").call("notes_statistics", {"raw": 1})).category == "validation"


def test_a_tool_that_asks_for_raw_input_gets_it_as_it_came() -> None:
    class Handlers:
        async def capture(self, input: Any) -> Any:
            return {**NOTE, "body": json.dumps(input)}

    note: Any = asyncio.run(agreeing(bound("notes", Handlers)).call("notes_capture", {"a": [1]}))
    assert note["body"] == '{"a": [1]}'


def test_progress_without_a_listener_is_silent() -> None:
    class Handlers:
        async def reindex(self, input: Any, ctx: Any) -> Any:
            ctx.progress(1, 2, "half")
            return {"indexed": 2, "seconds": 0.5}

    async def main(listener: Any) -> object:
        registry = agreeing(bound("notes", Handlers))
        return await registry.call("notes_reindex", {}, on_progress=listener)

    told: list[Any] = []
    assert asyncio.run(main(None)) == asyncio.run(main(told.append))
    assert [(one.value, one.total, one.message) for one in told] == [(1, 2, "half")]


def test_cancelling_a_call_cancels_its_handler_and_marks_the_context_after_it() -> None:
    reached: list[Context] = []

    class Handlers:
        async def statistics(self, input: Any, ctx: Any) -> Any:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                reached.append(ctx)
                raise

    async def main() -> None:
        call = asyncio.create_task(bound("notes", Handlers).call("notes_statistics"))
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(main())
    [ctx] = reached
    assert ctx.cancelled.is_set(), "now that the handler has ended"


# Over a connection: a mock of the notes, which answers from the examples.


@pytest.fixture(scope="module")
def both(repository: Path) -> Iterator[tuple[Connection, Connection]]:
    """The same service over stdio and over HTTP."""
    with ExitStack() as stack:
        address = stack.enter_context(http(repository, "--service", "notes"))
        pipe = stack.enter_context(connected(stdio(repository, "--service", "notes"), LEGACY))
        yield pipe, stack.enter_context(connected(address, LEGACY))


def texts(result: types.CallToolResult) -> list[str]:
    """What a result says, without the name of its request."""
    return [re.sub(r"[0-9a-f]{16}", "ID", getattr(each, "text", "")) for each in result.content]


@pytest.mark.parametrize(
    "call",
    [
        ("notes_search", {"query": "quantum bread"}),
        ("notes_search", {"query": ""}),
        ("notes_delete", {"id": "n404"}),
    ],
    ids=["result", "rejection", "error"],
)
def test_a_mock_gives_clients_of_2025_the_same_text_over_stdio_and_http(
    both: tuple[Connection, Connection], call: tuple[str, Any]
) -> None:
    over_stdio, over_http = (each.call(*call) for each in both)
    assert texts(over_stdio) == texts(over_http)
    assert over_stdio.is_error == over_http.is_error
    assert over_stdio.structured_content == over_http.structured_content


def test_a_forbidden_tool_called_as_a_task_is_no_method(
    both: tuple[Connection, Connection],
) -> None:
    for each in both:
        with pytest.raises(MCPError) as caught:
            each.start("notes_search", QUESTION)
        assert caught.value.code == types.METHOD_NOT_FOUND


def test_a_tool_that_requires_a_task_is_no_method_without(
    both: tuple[Connection, Connection],
) -> None:
    for each in both:
        with pytest.raises(MCPError) as caught:
            each.call("notes_ask", {"input": "What is for dinner?"})
        assert caught.value.code == types.METHOD_NOT_FOUND


def test_a_mock_sends_a_client_of_2025_no_progress_without_a_token(
    both: tuple[Connection, Connection],
) -> None:
    """With a token the items of a stream come as messages; without one only the whole does."""
    for each in both:
        each.notified.clear()
        whole, reports = each.reports("notes_export")
        assert len(reports) == len(whole.structured_content["result"]) == len(each.notified)
        each.notified.clear()
        silent = each.call("notes_export")
        assert silent.structured_content == whole.structured_content
        assert each.notified == []
