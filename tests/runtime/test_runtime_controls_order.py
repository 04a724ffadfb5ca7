from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, tool
from toolspec.runtime import (
    BindError,
    Call,
    Caller,
    Context,
    Failure,
    Policy,
    PolicySource,
    Question,
    Registry,
    Rule,
    ToolError,
    bind_service,
    merge,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ASK = Policy(sources=(PolicySource(name="user", rules=(Rule(mode="ask", permission="web:*"),)),))


class Story:
    """A registry of which every stage writes down that it was reached."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.caller: Caller | None = Caller(name="ada", scopes=("act",))
        self.yes = True

    def says(self, text: str, value: object = None) -> Callable[..., object]:
        async def stage(*_: object) -> object:
            self.seen.append(text)
            return value

        return stage

    def authenticate(self, context: Context) -> Caller | None:
        self.seen.append("authenticate")
        return self.caller

    def approve(self, question: Question) -> bool:
        self.seen.append("permission" if len(question.permissions) == 1 else "approval")
        return self.yes

    async def failed(self, failure: Failure) -> None:
        self.seen.append(f"error {failure.error.code}")

    async def middleware(self, call: Call, following: Callable[[], object]) -> object:
        self.seen.append("middleware")
        return await following()  # type: ignore[misc]

    def registry(self) -> Registry:
        definition = service(
            tool(
                risk=3,
                scopes=(("act",),),
                permissions=(("web", "api", "GET"),),
                verify=True,
                arguments_schema={"required": ["a"]},
            ),
            auth="custom",
        )
        handlers = {"act": self.says("handler", 1), "verify_act": self.says("verify")}
        registry = bind_service(definition, handlers, credentials=self.signs_in)  # type: ignore[arg-type]
        return registry.with_hooks(
            before=[self.says("before")],  # type: ignore[list-item]
            middleware=[self.middleware],  # type: ignore[list-item]
            after=[self.says("after")],  # type: ignore[list-item]
            after_response=[self.says("response")],  # type: ignore[list-item]
            on_error=[self.failed],
        ).with_controls(authenticator=self.authenticate, approver=self.approve, policy=ASK)

    def signs_in(self, caller: str | None) -> dict[str, object]:
        self.seen.append(f"credentials of {caller}")
        return {}

    def run(self, arguments: dict[str, object]) -> list[str]:
        async def main() -> None:
            registry = self.registry()
            with contextlib.suppress(ToolError):
                await registry.call("demo_act", arguments)
            await registry.settled()

        asyncio.run(main())
        return self.seen


def test_the_stages_stand_in_the_designed_order() -> None:
    assert Story().run({"a": 1}) == [
        "authenticate",
        "permission",
        "approval",
        "credentials of ada",
        "before",
        "middleware",
        "handler",
        "verify",
        "after",
        "response",
    ]


def test_each_failure_stops_all_that_comes_later_and_is_told_once() -> None:
    nobody, poor, careless, refused = Story(), Story(), Story(), Story()
    nobody.caller = None
    poor.caller = Caller(name="ada", scopes=())
    refused.yes = False
    end = "response"
    assert nobody.run({}) == ["authenticate", "error unauthenticated", end]
    assert poor.run({}) == ["authenticate", "error missing_scopes", end]
    assert careless.run({}) == ["authenticate", "error validation", end]
    assert refused.run({"a": 1}) == ["authenticate", "permission", "error refused", end]


def test_checked_arguments_are_defaults_and_nothing_else() -> None:
    story = Story()
    schema = {"type": "object", "properties": {"n": {"type": "integer", "default": 5}}}
    registry = bound(tool(arguments_schema=schema, risk=3), story.says("handler"))  # type: ignore[arg-type]
    given = {"a": [1]}
    assert registry.checked("demo_act", given) == {"a": [1], "n": 5}
    assert registry.checked("demo_act") == {"n": 5}
    assert given == {"a": [1]}
    with pytest.raises(ToolError) as caught:
        registry.checked("demo_act", {"n": "x"})
    assert caught.value.category == "validation"
    with pytest.raises(ToolError) as caught:
        registry.checked("demo_acts")
    assert caught.value.category == "not_found"
    assert not story.seen


def test_checked_arguments_can_be_sent_again() -> None:
    schema = {"type": "object", "required": ["input"]}
    registry = bound(tool(input_form="text", arguments_schema=schema), echo)
    assert registry.checked("demo_act", {"input": "x"}) == {"input": "x"}


def test_controls_that_are_left_out_stay() -> None:
    story = Story()
    registry = bound(tool(risk=2, scopes=(("act",),)), echo)
    registry = registry.with_controls(approver=story.approve)
    registry = registry.with_controls(authenticator=story.authenticate)
    assert asyncio.run(registry.call("demo_act", {"a": 1})) == {"a": 1}
    assert story.seen == ["authenticate", "approval"]
    with pytest.raises(ToolError, match="no approver is configured"):
        asyncio.run(registry.with_controls(approver=None).call("demo_act"))


def test_a_control_that_there_is_not_is_told() -> None:
    with pytest.raises(TypeError, match="aprover"):
        bound(tool(), echo).with_controls(aprover=None)  # type: ignore[call-arg]


def test_registries_with_controls_do_not_merge() -> None:
    controlled = bound(tool("a"), echo).with_controls(approver=lambda _: True)
    with pytest.raises(BindError, match="merge first"):
        merge(controlled, bound(tool("b"), echo))


def test_the_context_tells_version_scopes_and_what_is_kept() -> None:
    async def look(input: object, ctx: Context) -> object:
        ctx.metadata["old"] = 1
        return [ctx.version, ctx.scopes, ctx.metadata]

    registry = bound(tool(version="1.2"), look)
    assert asyncio.run(registry.call("demo_act", scopes=("a",))) == ["1.2", ["a"], {"old": 1}]
    assert asyncio.run(registry.call("demo_act")) == ["1.2", None, {"old": 1}]
    assert Context(version="3", scopes=("b",)).version == "3"
    with pytest.raises(AttributeError, match="no attribute 'input'"):
        _ = Context().input  # type: ignore[attr-defined]


def test_sys_exit_ends_neither_the_call_nor_what_comes_after_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def leaves(*_: object) -> object:
        raise SystemExit(3)

    def leaves_its_thread(input: object) -> object:
        raise SystemExit(3)

    async def main() -> None:
        for handler in (leaves, leaves_its_thread):
            with pytest.raises(ToolError, match="internal"):
                await bound(tool(), handler).call("demo_act")
        hooked = bound(tool(), echo).with_hooks(
            after=[leaves],
            after_response=[leaves],
            on_error=[leaves],
        )
        assert await hooked.call("demo_act", {"a": 1}) == {"a": 1}
        with pytest.raises(ToolError) as caught:
            await hooked.call("demo_acts")
        assert caught.value.code == "unknown_tool"
        await hooked.settled()

    asyncio.run(main())
    assert "an after hook failed" in caplog.text
    assert "an afterResponse hook failed" in caplog.text


def test_who_thinks_about_an_answer_does_not_time_the_handler_out() -> None:
    async def slow(question: Question) -> bool:
        await asyncio.sleep(0.2)
        return True

    async def asks(input: object, ctx: Context) -> str:
        await ctx.request_permission("web:api", "to look", "GET")
        return "done"

    registry = bound(tool(timeout_idle=0.05), asks).with_controls(approver=slow)
    assert asyncio.run(registry.call("demo_act")) == "done"


def test_waiting_for_a_yes_takes_no_time_of_the_call() -> None:
    answers: list[bool] = []

    async def slow(question: Question) -> bool:
        await asyncio.sleep(0.2)
        answers.append(True)
        return True

    registry = bound(tool(risk=3, timeout_total=0.1), echo).with_controls(approver=slow)
    assert asyncio.run(registry.call("demo_act")) == {}
    assert answers == [True]


def test_a_call_that_is_closed_gives_its_place_back() -> None:
    async def waits(input: object) -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        registry = bound(tool(), waits)
        for _ in range(30):
            call = registry.call("demo_act")
            call.send(None)
            call.close()

    asyncio.run(main())
