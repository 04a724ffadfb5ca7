"""Seed 002, OpenTabs: names, builds, error factories, timeouts, concurrency, permission modes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from projects import TOOL, catalog, codes, run, service, written
from specs_bound import CHANNEL, MAIN, agreeing, bound, failure
from stepping_loop import now
from stepping_loop import run as run_stepping
from toolspec.runtime import Context, Policy, PolicySource, Registry, Rule, ToolError
from toolspec.shared.error_categories import CATEGORIES

SENT = {"ok": True, "ts": "1790635538.000200"}
ADA = {"instance": "main", "user": "ada", "text": "Stand-up", "at": [9, 15]}


class Slack:
    async def send_message(self, input: Any, ctx: Context | None = None) -> Any:
        if ctx is not None:
            ctx.progress(1, 1, "sent")
        return SENT


# What the build does


def test_a_snake_tool_in_a_kebab_service_gets_the_qualified_name(tmp_path: Path) -> None:
    assert list(catalog(written(tmp_path, service(TOOL)))) == ["my-chat_send_message"]


def test_an_empty_display_name_is_an_error(tmp_path: Path) -> None:
    assert codes(written(tmp_path, service({**TOOL, "title": ""}))) == ["shape/empty"]


def test_a_missing_display_name_is_derived(tmp_path: Path) -> None:
    found = catalog(written(tmp_path, service(TOOL)))
    assert found["my-chat_send_message"]["title"] == "Send Message"


def test_a_summary_falls_back_to_the_description(tmp_path: Path) -> None:
    tool = {**TOOL, "description": "Send it now. Nobody can take it back."}
    found = catalog(written(tmp_path, service(tool)))
    assert found["my-chat_send_message"]["summary"] == "Send it now."


def test_build_errors_of_all_stages_come_in_one_list(tmp_path: Path) -> None:
    without = {key: value for key, value in TOOL.items() if key != "mutation"}
    tools = (
        {**TOOL, "name": "one", "title": ""},
        {**without, "name": "two"},
        {**TOOL, "name": "three", "displayName": "Three"},
        {**TOOL, "name": "four", "streaming": 1},
        {**TOOL, "name": "five", "outputSchema": {"$ref": "#/$defs/Missing"}},
        {**TOOL, "name": "six", "outputSchema": {"type": "strin"}},
    )
    assert codes(written(tmp_path, service(*tools))) == [
        "shape/empty",
        "shape/missing-key",
        "shape/unknown-key",
        "shape/wrong-type",
        "resolve/dangling-reference",
        "schema/unknown-type",
    ]


def test_a_schema_that_cannot_be_compiled_is_never_callable(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(unclosed"}}}
    project = written(tmp_path, service({**TOOL, "inputSchema": schema}))
    status, _ = run(project, "compile")
    assert status == 1
    assert not (project / "generated").exists()


def test_generated_docs_are_held_to_the_spec(tmp_path: Path) -> None:
    project = written(tmp_path, service(TOOL))
    catalog(project)
    assert run(project, "compile", "--check")[0] == 0
    written(project, service({**TOOL, "description": "Send it to everybody."}))
    status, said = run(project, "compile", "--check")
    assert status == 1
    assert "docs/my-chat.md" in said


def test_a_name_that_the_compiler_adds_clashes_with_an_authors_own(tmp_path: Path) -> None:
    """The seed overwrites silently what it injects."""
    properties = {"idempotency_key": {"type": "string", "description": "Mine."}}
    schema = {"type": "object", "properties": properties}
    tool = {**TOOL, "inputSchema": schema, "idempotency": "optional"}
    assert "bind/reserved-argument" in codes(written(tmp_path, service(tool)))


# What a call does


RETRYABLE = {"rate_limit", "unavailable"}
"""The categories of errors that a repeat may help, whatever the tool; the seed has six in all."""


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_factory_gives_its_category_as_code(category: str) -> None:
    """The seed's own codes (`AUTH_ERROR` …) are `code=` of whoever raises."""

    class Handlers:
        async def list_channels(self, input: Any) -> Any:
            raise getattr(ToolError, category)("no")

        send_message = list_channels

    # What a timeout of a reader says is told below: here is a tool that no repeat is safe for.
    registry = agreeing(bound("slack", Handlers))
    error = failure(registry.call("slack_send_message", CHANNEL))
    expected = (category, category, category in RETRYABLE)
    assert (error.category, error.code, error.retryable) == expected


def test_a_rate_limit_says_when_to_come_back() -> None:
    class Handlers:
        async def list_channels(self, input: Any) -> Any:
            raise ToolError.rate_limit("slow down", retry_after_ms=1500)

    wire: Any = failure(bound("slack", Handlers).call("slack_list_channels", MAIN)).to_wire()
    assert wire["error"]["retry_after_ms"] == 1500


@pytest.mark.parametrize(
    ("name", "arguments", "retryable"),
    [
        ("slack_list_channels", MAIN, True),
        ("slack_set_reminder", ADA, True),
        ("slack_send_message", CHANNEL, False),
    ],
    ids=["reads", "idempotent", "unsafe write"],
)
def test_a_timeout_is_retryable_only_where_a_repeat_is_safe(
    name: str, arguments: Any, retryable: bool
) -> None:
    """Other than in the seed, on purpose: a write may have happened."""

    class Handlers:
        async def list_channels(self, input: Any) -> Any:
            raise ToolError.timeout("too slow")

        set_reminder = send_message = list_channels

    error = failure(agreeing(bound("slack", Handlers)).call(name, arguments))
    assert (error.category, error.retryable) == ("timeout", retryable)


def test_the_idle_timeout_of_the_spec_ends_a_silent_call() -> None:
    class Handlers:
        async def list_channels(self, input: Any) -> Any:
            await asyncio.sleep(1000)

    async def main() -> tuple[str, float]:
        with pytest.raises(ToolError) as caught:
            await bound("slack", Handlers).call("slack_list_channels", MAIN)
        return caught.value.code, now()

    assert run_stepping(main()) == ("idle_timeout", 30)


def test_progress_extends_the_idle_timeout_up_to_the_total_of_the_spec() -> None:
    class Handlers:
        async def list_channels(self, input: Any, ctx: Any) -> Any:
            while True:
                await asyncio.sleep(25)
                ctx.progress()

    async def main() -> tuple[str, float]:
        with pytest.raises(ToolError) as caught:
            await bound("slack", Handlers).call("slack_list_channels", MAIN)
        return caught.value.code, now()

    assert run_stepping(main()) == ("total_timeout", 300)


def test_the_26th_concurrent_call_is_refused() -> None:
    async def main() -> list[object]:
        release = asyncio.Event()

        class Handlers:
            async def list_channels(self, input: Any) -> Any:
                await release.wait()
                return {"channels": [], "next_cursor": None}

        registry = bound("slack", Handlers)
        calls = [asyncio.create_task(registry.call("slack_list_channels", MAIN)) for _ in range(26)]
        await asyncio.sleep(0.01)
        release.set()
        return await asyncio.gather(*calls, return_exceptions=True)

    *answers, last = asyncio.run(main())
    assert isinstance(last, ToolError)
    assert (last.category, last.retryable) == ("rate_limit", True)
    assert last.retry_after_ms
    assert not any(isinstance(each, ToolError) for each in answers)


def mode_of(registry: Registry, *sources: PolicySource) -> str:
    """Whether a message is sent unasked, after a question, or not at all."""
    asked: list[object] = []

    def approver(question: object) -> bool:
        asked.append(question)
        return True

    held = registry.with_controls(policy=Policy(sources=sources), approver=approver)
    try:
        asyncio.run(held.call("slack_send_message", CHANNEL))
    except ToolError:
        return "off"
    return "ask" if asked else "auto"


@pytest.mark.parametrize("plugin", ["off", "ask", "auto"])
@pytest.mark.parametrize("override", [None, "off", "ask", "auto"])
def test_off_ask_and_auto_with_an_override_for_one_tool(plugin: Any, override: Any) -> None:
    rules = [Rule(mode=plugin, tool="slack_*")]
    if override is not None:
        rules.append(Rule(mode=override, tool="slack_send_message"))
    source = PolicySource(name="mine", rules=tuple(rules))
    assert mode_of(bound("slack", Slack), source) == (override or plugin)


@pytest.mark.parametrize(("mode", "seen"), [("off", "off"), ("ask", "auto"), ("auto", "auto")])
def test_the_skip_switch_leaves_off_alone(mode: Any, seen: str) -> None:
    rule = Rule(mode=mode, tool="slack_send_message")
    source = PolicySource(name="mine", rules=(rule,), skip=True)
    assert mode_of(bound("slack", Slack), source) == seen


def test_nobody_is_asked_before_the_arguments_are_checked() -> None:
    asked: list[object] = []
    registry = bound("slack", Slack).with_controls(approver=asked.append)
    assert (
        failure(registry.call("slack_send_message", {**MAIN, "channel": 1})).category
        == "validation"
    )
    assert asked == []


def test_all_wrong_fields_are_told_and_not_only_the_first() -> None:
    error = failure(bound("slack").call("slack_list_channels", {**MAIN, "limit": 0, "cursor": 1}))
    assert {each.path for each in error.field_errors} == {"$.limit", "$.cursor"}


def test_a_handler_is_callable_without_a_context() -> None:
    """What a test calls bare is what a registry takes, and there it has its context."""
    handlers = Slack()
    assert asyncio.run(handlers.send_message(CHANNEL)) == SENT
    told: list[Any] = []
    registry = agreeing(bound("slack", Slack))
    call = registry.call("slack_send_message", CHANNEL, on_progress=told.append)
    assert asyncio.run(call) == SENT
    assert [one.message for one in told] == ["sent"]


def test_an_unexpected_exception_shows_nothing_of_itself() -> None:
    class Handlers:
        async def list_channels(self, input: Any) -> Any:
            raise RuntimeError("http://10.0.0.1/secret in /home/me")

    wire = failure(bound("slack", Handlers).call("slack_list_channels", MAIN)).to_wire()
    assert "10.0.0.1" not in str(wire)
    assert "/home" not in str(wire)
