from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
import stepping_loop
from example_service import bound, service, streaming, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.runtime import (
    Approval,
    ApprovalPending,
    Context,
    Limits,
    Permission,
    Policy,
    PolicySource,
    Question,
    Registry,
    Rule,
    ToolError,
    approve,
    bind_service,
)
from toolspec.runtime.controls.approval import digest
from toolspec.runtime.stores import open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from toolspec.runtime import Call

READ = ("file", "~/notes/a.md", "read")
FETCH = ("web", "api.example", "GET")


class Effects:
    """A handler that counts how often it ran, and an approver with an answer ready."""

    def __init__(self, answer: object = True) -> None:
        self.count = 0
        self.answer = answer
        self.questions: list[Question] = []

    async def act(self, input: object) -> str:
        self.count += 1
        return "done"

    def ask(self, question: Question) -> object:
        self.questions.append(question)
        return self.answer

    async def ask_later(self, question: Question) -> object:
        await asyncio.sleep(0)
        return self.ask(question)

    def registry(self, *rules: Rule, **fields: object) -> Registry:
        policy = Policy(sources=(PolicySource(name="user", rules=rules),))
        return bound(tool(**{"risk": 2, **fields}), self.act).with_controls(
            approver=self.ask,  # type: ignore[arg-type]
            policy=policy,
        )


def refused(registry: Registry, arguments: object = None, **options: object) -> ToolError:
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act", arguments, **options))  # type: ignore[arg-type]
    assert caught.value.category == "permission"
    assert not caught.value.retryable
    return caught.value


def call(registry: Registry, arguments: object = None, **options: object) -> object:
    return asyncio.run(registry.call("demo_act", arguments, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("risk", [0, 1])
def test_low_tiers_run_unasked(risk: int) -> None:
    effects = Effects(answer=False)
    assert call(effects.registry(risk=risk)) == "done"
    assert not effects.questions


@pytest.mark.parametrize("risk", [2, 3])
def test_nobody_to_ask_means_refused(risk: int) -> None:
    effects = Effects()
    error = refused(bound(tool(risk=risk), effects.act), {"a": 1})
    assert error.code == "approval_required"
    assert error.details == {
        "tool": "demo_act",
        "risk": risk,
        "hint": "configure an approver or a policy rule (`with_controls`), or pass an approval with the call",
        "digest": digest("demo_act", {"a": 1}),
    }
    assert effects.count == 0


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("answer", [True, "once", "session", "always"])
def test_a_yes_lets_the_call_run(later: bool, answer: object) -> None:
    effects = Effects(answer)
    registry = effects.registry().with_controls(
        approver=effects.ask_later if later else effects.ask  # type: ignore[arg-type]
    )
    assert call(registry) == "done"


@pytest.mark.parametrize("answer", [False, None, "", "no", "yes", 1, 0, [], ["once"], object()])
def test_everything_else_is_no(answer: object) -> None:
    effects = Effects(answer)
    assert refused(effects.registry()).code == "refused"
    assert effects.count == 0


@pytest.mark.parametrize("problem", [KeyError("s3cret"), SystemExit(1), ToolError.internal("x")])
def test_an_approver_that_raises_says_no(
    problem: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(question: Question) -> bool:
        raise problem

    effects = Effects()
    error = refused(effects.registry().with_controls(approver=breaks))
    assert error.code == "refused"
    assert "s3cret" not in str(error.to_wire())
    assert "the approver failed, which counts as no" in caplog.text
    assert effects.count == 0


def test_the_question_holds_the_whole_call() -> None:
    effects = Effects()
    schema = {"type": "object", "properties": {"n": {"default": 5}}}
    registry = effects.registry(arguments_schema=schema, permissions=(READ, FETCH))
    arguments = {"a": [1]}
    call(registry, arguments, caller="ada", request_id="r1")
    (question,) = effects.questions
    assert question.tool.full_name == "demo_act"
    assert question.arguments == {"a": [1], "n": 5}
    assert question.digest == digest("demo_act", arguments)
    assert (question.caller, question.request_id, question.reason) == ("ada", "r1", "")
    assert [vars(one) for one in question.permissions] == [
        {"kind": "file", "resource": "~/notes/a.md", "operation": "read"},
        {"kind": "web", "resource": "api.example", "operation": "GET"},
    ]


@pytest.mark.parametrize(("risk", "choices"), [(2, 3), (3, 1)])
def test_the_highest_tier_is_only_ever_asked_for_once(risk: int, choices: int) -> None:
    effects = Effects()
    call(effects.registry(risk=risk))
    assert effects.questions[0].choices == ("once", "session", "always")[:choices]


def test_what_an_approver_does_to_its_question_changes_nothing() -> None:
    received: list[object] = []

    async def act(input: object) -> None:
        received.append(input)

    def spoil(question: Question) -> bool:
        question.arguments.clear()  # type: ignore[union-attr]
        return True

    registry = bound(tool(risk=2), act).with_controls(approver=spoil)
    call(registry, {"a": 1})
    assert received == [{"a": 1}]


def test_what_was_approved_is_what_runs() -> None:
    received: list[object] = []
    arguments: dict[str, object] = {"to": ["ada"]}

    async def act(input: object) -> None:
        received.append(input)

    async def slow(question: Question) -> bool:
        arguments["to"] = ["mallory"]
        await asyncio.sleep(0)
        assert question.arguments == {"to": ["ada"]}
        return question.digest == digest("demo_act", {"to": ["ada"]})

    call(bound(tool(risk=3), act).with_controls(approver=slow), arguments)
    assert received == [{"to": ["ada"]}]


def test_nobody_is_asked_about_wrong_arguments() -> None:
    effects = Effects()
    registry = effects.registry(arguments_schema={"required": ["a"]})
    for arguments in ({}, {"a": float("nan")}):
        with pytest.raises(ToolError) as caught:
            call(registry, arguments)
        assert caught.value.category == "validation"
    assert not effects.questions


def asked_again(effects: Effects, registry: Registry, **options: object) -> bool:
    before = len(effects.questions)
    call(registry, **options)
    return len(effects.questions) > before


def test_once_is_for_one_call() -> None:
    effects = Effects("once")
    registry = effects.registry()
    assert [asked_again(effects, registry) for _ in range(3)] == [True, True, True]


def test_session_is_for_one_caller_one_session_and_one_tool() -> None:
    effects = Effects("session")
    registry = effects.registry()
    assert asked_again(effects, registry, caller="ada")
    assert not asked_again(effects, registry, caller="ada")
    assert asked_again(effects, registry, caller="bob")
    assert asked_again(effects, registry)
    assert asked_again(effects, registry, caller="ada", transport={"session": "2"})
    assert not asked_again(effects, registry, caller="ada", transport={"session": "2"})


def test_always_is_for_every_caller_and_one_tool() -> None:
    effects = Effects("always")
    definition = service(tool("a", risk=2), tool("b", risk=2))
    registry = bind_service(definition, {"a": effects.act, "b": effects.act})
    registry = registry.with_controls(approver=effects.ask)  # type: ignore[arg-type]

    async def main() -> None:
        await registry.call("demo_a", caller="ada")
        await registry.call("demo_a", caller="bob")
        await registry.call("demo_b")

    asyncio.run(main())
    assert [question.tool.name for question in effects.questions] == ["a", "b"]


@pytest.mark.parametrize("answer", ["session", "always"])
def test_the_highest_tier_is_remembered_never(answer: str) -> None:
    effects = Effects(answer)
    registry = effects.registry(risk=3)
    assert [asked_again(effects, registry) for _ in range(2)] == [True, True]


def test_answers_stay_with_hooks_and_go_with_another_policy_or_approver() -> None:
    effects = Effects("always")
    registry = effects.registry()
    call(registry)
    assert not asked_again(effects, registry.with_hooks())
    assert not asked_again(effects, registry.with_controls(authenticator=None))
    assert asked_again(effects, registry.with_controls(policy=Policy()))
    assert asked_again(effects, registry.with_controls(approver=effects.ask))  # type: ignore[arg-type]


def test_a_no_is_never_remembered() -> None:
    effects = Effects(answer=False)
    registry = effects.registry()
    refused(registry)
    effects.answer = True
    assert call(registry) == "done"


def test_a_calls_own_approver_comes_first() -> None:
    effects, own = Effects(answer=False), Effects(answer=True)
    assert call(effects.registry(), approver=own.ask) == "done"
    assert (len(effects.questions), len(own.questions)) == (0, 1)


def test_parked_ends_the_call_and_tells_nobody() -> None:
    told: list[object] = []

    async def note(*given: object) -> None:
        told.append(given)

    def park(question: Question) -> bool:
        raise ApprovalPending

    effects = Effects()
    registry = effects.registry().with_controls(approver=park)
    registry = registry.with_hooks(on_error=[note], after_response=[note], before=[note])

    async def main() -> None:
        with pytest.raises(ApprovalPending):
            await registry.call("demo_act")
        await registry.settled()

    asyncio.run(main())
    assert (told, effects.count) == ([], 0)
    assert call(registry, {}, approval=approve("demo_act", {})) == "done"


async def never(question: Question) -> bool:
    """Return no answer, not even when it is cancelled."""
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(1000)
    await asyncio.sleep(1000)
    return True


@pytest.mark.parametrize(
    ("limits", "seconds"), [(None, 300), (Limits(approval=20, idle=5, total=10), 20)]
)
def test_an_approver_that_never_answers_is_a_refusal(limits: Limits | None, seconds: int) -> None:
    async def main() -> float:
        registry = Effects().registry().with_controls(approver=never, limits=limits)
        with pytest.raises(ToolError, match=f"did not answer within {seconds} s") as caught:
            await registry.call("demo_act", {})
        assert (caught.value.category, caught.value.code) == ("permission", "refused")
        return asyncio.get_running_loop().time()

    assert stepping_loop.run(main()) == seconds


def test_a_permission_that_is_never_answered_is_refused() -> None:
    async def main() -> ToolError:
        registry = dynamic("web:x", "GET").with_controls(approver=never)
        with pytest.raises(ToolError) as caught:
            await registry.call("demo_act", {})
        return caught.value

    error = stepping_loop.run(main())
    assert (error.code, error.details["resource"]) == ("refused", "x")


def test_a_plain_approver_that_waits_holds_up_nobody() -> None:
    answered = threading.Event()

    async def main() -> object:
        asked = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wait(question: Question) -> bool:
            loop.call_soon_threadsafe(asked.set)
            return answered.wait(30)

        registry = Effects().registry().with_controls(approver=wait)
        waiting = asyncio.create_task(registry.call("demo_act", {}))
        await asked.wait()
        answered.set()
        return await waiting

    assert asyncio.run(main()) == "done"


def test_an_approver_may_say_why_not() -> None:
    def closed(question: Question) -> bool:
        raise ToolError.permission("the office is closed", code="closed")

    error = refused(Effects().registry().with_controls(approver=closed))
    assert (error.code, error.message) == ("closed", "the office is closed")


@pytest.mark.parametrize("seconds", [0, -1, float("inf"), True, None])
def test_the_time_to_answer_is_a_time(seconds: Any) -> None:
    with pytest.raises(ValueError, match="`approval` is "):
        Effects().registry().with_controls(limits=Limits(approval=seconds))


def test_an_approval_given_ahead_is_a_yes_to_one_call() -> None:
    effects = Effects(answer=False)
    registry = effects.registry()
    approval = approve("demo_act", {"a": 1})
    assert call(registry, {"a": 1}, approval=approval) == "done"
    assert not effects.questions
    assert refused(registry, {"a": 1}, approval=approval).code == "refused"
    assert effects.count == 1


@pytest.mark.parametrize(
    ("approval", "why"),
    [
        (approve("demo_act", {"a": 2}), "the approval is for other arguments"),
        (approve("demo_act", None), "the approval is for other arguments"),
        (approve("demo_other", {"a": 1}), "the approval is for `demo_other`"),
        (approve("demo_act", {"a": 1}, seconds=0), "the approval has expired"),
        (approve("demo_act", {"a": 1}, seconds=-5), "the approval has expired"),
        (approve("demo_act", {"a": 1}, seconds=float("nan")), "the approval has expired"),
        (Approval(tool="demo_act", digest="", expires=1e12), "the approval is for other arguments"),
    ],
)
def test_an_approval_that_does_not_fit_is_none(approval: Approval, why: str) -> None:
    effects = Effects()
    error = refused(bound(tool(risk=2), effects.act), {"a": 1}, approval=approval)
    assert error.code == "approval_required"
    assert why in error.message
    assert call(effects.registry(), {"a": 1}, approval=approval) == "done"
    assert len(effects.questions) == 1


def test_a_used_approval_is_told_as_such_across_registries_with_the_same_memory() -> None:
    effects = Effects()
    registry = bound(tool(risk=2), effects.act)
    approval = approve("demo_act", {})
    assert call(registry, {}, approval=approval) == "done"
    error = refused(registry.with_hooks(), {}, approval=approval)
    assert "has been used" in error.message


def test_two_calls_at_once_share_no_approval() -> None:
    effects = Effects()
    registry = bound(tool(risk=3), effects.act)
    approval = approve("demo_act", {})

    async def main() -> list[object]:
        calls = [registry.call("demo_act", {}, approval=approval) for _ in range(5)]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    assert [one for one in asyncio.run(main()) if one == "done"] == ["done"]
    assert effects.count == 1


def test_an_approval_may_name_the_version() -> None:
    effects = Effects()
    registry = bound(tool(risk=2, version="1.2"), effects.act)
    for name in ("demo_act", "demo_act@1.2"):
        assert call(registry, {}, approval=approve(name, {})) == "done"
    assert (
        "is for `demo_act@2.0`"
        in refused(registry, {}, approval=approve("demo_act@2.0", {})).message
    )


def test_an_approval_does_not_open_what_is_off() -> None:
    effects = Effects()
    registry = effects.registry(Rule(mode="off"))
    assert refused(registry, {}, approval=approve("demo_act", {})).code == "forbidden"


@given(
    st.dictionaries(
        st.text("abc", max_size=2), st.integers() | st.booleans() | st.none() | st.text("x")
    )
)
@settings(derandomize=True, max_examples=80)
def test_the_digest_is_of_the_value_and_not_of_its_order(arguments: dict[str, object]) -> None:
    turned = dict(reversed(arguments.items()))
    assert digest("demo_act", arguments) == digest("demo_act", turned)
    assert digest("demo_act", arguments) != digest("demo_other", arguments)
    assert digest("demo_act", {**arguments, "more": 1}) != digest("demo_act", arguments)


def test_numbers_are_one_number_however_they_are_written() -> None:
    assert digest("t", {"n": 1.0, "m": [2.0]}) == digest("t", {"n": 1, "m": [2]})
    assert digest("t", {"n": True}) != digest("t", {"n": 1})
    assert digest("t", None) == digest("t", {})


def test_what_is_no_json_has_no_digest() -> None:
    with pytest.raises(ToolError, match=r"not JSON: \$.n") as caught:
        approve("demo_act", {"n": float("nan")})
    assert caught.value.category == "validation"


def test_approvals_last_as_long_as_they_say() -> None:
    before = time.time()
    approval = approve("demo_act", {}, seconds=60)
    assert before + 60 <= approval.expires <= time.time() + 60


def test_permissions_are_gone_through_in_order_up_to_the_first_denial() -> None:
    effects = Effects()
    rules = (
        Rule(mode="ask", permission="file:*"),
        Rule(mode="off", permission="web:*"),
        Rule(mode="ask", permission="tool:*"),
    )
    permissions = (READ, FETCH, ("tool", "demo_other", ""))
    error = refused(effects.registry(*rules, permissions=permissions))
    assert error.code == "forbidden"
    assert error.details == {
        "tool": "demo_act",
        "risk": 2,
        "kind": "web",
        "resource": "api.example",
        "operation": "GET",
        "hint": "change the rule in `user`",
    }
    assert [question.permissions[0].kind for question in effects.questions] == ["file"]


def test_a_permission_that_a_rule_asks_for_is_asked_before_the_call_and_not_in_it() -> None:
    effects = Effects()
    registry = effects.registry(Rule(mode="ask", permission="web:*"), permissions=(READ, FETCH))
    assert call(registry) == "done"
    asked = [[one.kind for one in question.permissions] for question in effects.questions]
    assert asked == [["web"], ["file"]]


def test_a_permission_that_is_refused_stops_the_call() -> None:
    effects = Effects(answer=False)
    registry = effects.registry(Rule(mode="ask", permission="web:*"), permissions=(FETCH,), risk=0)
    error = refused(registry)
    assert (error.code, error.details["resource"]) == ("refused", "api.example")
    assert effects.count == 0


@pytest.mark.parametrize("risk", [0, 1, 2])
def test_declared_permissions_are_asked_for_in_order_though_the_call_runs_unasked(
    risk: int,
) -> None:
    effects = Effects()
    registry = effects.registry(permissions=(READ, FETCH), risk=risk)
    policy = Policy(default=lambda tool: "auto")
    registry = registry.with_controls(policy=policy)
    assert call(registry) == "done"
    kinds = [[one.kind for one in question.permissions] for question in effects.questions]
    assert kinds == [["file"], ["web"]]
    effects.answer = False
    error = refused(registry)
    assert (error.code, error.details["resource"]) == ("refused", "~/notes/a.md")
    assert refused(registry.with_controls(approver=None)).code == "approval_required"
    assert (effects.count, len(effects.questions)) == (1, 3)


@pytest.mark.parametrize(
    "rules",
    [
        (Rule(mode="auto", tool="demo_act"),),
        (Rule(mode="auto", tool="demo_act"), Rule(mode="auto", permission="*")),
    ],
)
def test_a_rule_decides_on_permissions_too_and_nobody_is_asked(rules: tuple[Rule, ...]) -> None:
    effects = Effects(answer=False)
    assert call(effects.registry(*rules, permissions=(READ, FETCH))) == "done"
    assert not effects.questions
    guarded = effects.registry(*rules, Rule(mode="ask", permission="web:*"), permissions=(FETCH,))
    assert refused(guarded).details["kind"] == "web"


def test_an_approval_covers_declared_permissions_that_are_asked_for() -> None:
    effects = Effects(answer=False)
    registry = effects.registry(Rule(mode="ask", permission="*"), permissions=(READ, FETCH))
    assert call(registry, {}, approval=approve("demo_act", {})) == "done"
    assert not effects.questions


def test_nobody_is_asked_for_permissions_of_a_tool_that_is_off() -> None:
    effects = Effects()
    rules = (Rule(mode="off", tool="demo_act"), Rule(mode="ask", permission="*"))
    assert refused(effects.registry(*rules, permissions=(READ,))).code == "forbidden"
    assert not effects.questions


def asking(resource: str, operation: str = "", times: int = 1) -> object:
    async def act(input: object, ctx: Context) -> str:
        for _ in range(times):
            await ctx.request_permission(resource, "to look", operation)
        return "done"

    return act


def dynamic(resource: str, operation: str, *rules: Rule, **fields: object) -> Registry:
    policy = Policy(sources=(PolicySource(name="user", rules=rules),))
    definition = tool(**fields)
    return bound(definition, asking(resource, operation)).with_controls(policy=policy)  # type: ignore[arg-type]


def test_a_handler_asks_for_more_with_its_reason() -> None:
    effects = Effects()
    assert call(dynamic("web:api.example:8080", "GET"), {"a": 1}, approver=effects.ask) == "done"
    (question,) = effects.questions
    assert (question.reason, question.arguments) == ("to look", {"a": 1})
    (permission,) = question.permissions
    assert isinstance(permission, Permission)
    assert vars(permission) == {
        "kind": "web",
        "resource": "api.example:8080",
        "operation": "GET",
    }


def test_a_handler_is_refused_where_nobody_can_be_asked_or_the_answer_is_no() -> None:
    registry = dynamic("web:api.example", "GET")
    error = refused(registry)
    assert error.code == "approval_required"
    assert error.details["kind"] == "web"
    assert refused(registry, approver=lambda _: False).code == "refused"
    approval = approve("demo_act", {})
    assert refused(registry, {}, approval=approval).code == "approval_required"


def test_rules_answer_a_handler_too() -> None:
    assert call(dynamic("web:x", "GET", Rule(mode="auto", permission="web:*"))) == "done"
    error = refused(dynamic("web:x", "GET", Rule(mode="off", permission="web:*")))
    assert error.code == "forbidden"
    asks = dynamic("web:x", "GET", Rule(mode="ask", permission="web:*"))
    assert refused(asks).code == "approval_required"


def test_what_is_declared_has_been_granted_when_the_handler_runs() -> None:
    rule = Rule(mode="auto", permission="web:api.example:GET")
    assert call(dynamic("web:api.example", "GET", rule, permissions=(FETCH,))) == "done"
    post = dynamic("web:api.example", "POST", rule, permissions=(FETCH,))
    assert refused(post).category == "permission"


def test_within_a_call_one_yes_is_enough() -> None:
    effects = Effects("once")
    registry = bound(tool(), asking("web:x", "GET", times=3))  # type: ignore[arg-type]
    call(registry, approver=effects.ask)
    assert len(effects.questions) == 1
    call(registry, approver=effects.ask)
    assert len(effects.questions) == 2


def test_a_remembered_permission_is_no_remembered_call() -> None:
    effects = Effects("always")
    registry = effects.registry(Rule(mode="ask", permission="web:*"), permissions=(FETCH,))
    call(registry)
    assert len(effects.questions) == 2
    call(registry)
    assert len(effects.questions) == 2


def test_a_resource_without_its_kind_is_the_handlers_mistake(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(ToolError) as caught:
        call(dynamic("camera", ""))
    assert caught.value.category == "internal"
    assert "write `kind:name`" in caplog.text


def test_a_handler_that_parks_in_the_middle_ends_there() -> None:
    def park(question: Question) -> bool:
        raise ApprovalPending

    with pytest.raises(ApprovalPending):
        call(dynamic("web:x", "GET"), approver=park)


@pytest.mark.parametrize("is_grouped", [False, True], ids=["alone", "in a task group"])
def test_a_call_that_is_parked_in_the_middle_leaves_no_trace(is_grouped: bool) -> None:
    def park(question: Question) -> bool:
        raise ApprovalPending

    class Handlers:
        async def act(self, input: object, ctx: Context) -> str:
            if is_grouped:
                async with asyncio.TaskGroup() as group:
                    group.create_task(ctx.request_permission("web:x", "to look", "GET"))
            else:
                await ctx.request_permission("web:x", "to look", "GET")
            return "done"

        async def revert_act(self, *_: object) -> None:
            """Undo it."""

    definition = tool(idempotency="optional", revert=True)
    registry = bind_service(service(definition), Handlers())
    arguments = {"idempotency_key": "k"}

    async def main() -> None:
        with pytest.raises(ApprovalPending):
            await registry.call("demo_act", arguments, approver=park)
        assert await registry.revert_all() == ()
        answer = await registry.call("demo_act", arguments, approver=lambda _: True)
        assert answer == "done"
        assert [each.status for each in await registry.revert_all()] == ["reverted"]

    asyncio.run(main())


def test_a_stream_asks_before_its_first_chunk() -> None:
    effects = Effects(answer=False)

    async def tells(input: object) -> AsyncIterator[str]:
        effects.count += 1
        yield "a"

    registry = bound(streaming(risk=2), tells)

    async def main(answer: bool) -> list[object]:
        stream = registry.stream("demo_tell", approver=lambda _: answer)
        return [chunk async for chunk in stream]

    with pytest.raises(ToolError, match="the approver declined"):
        asyncio.run(main(answer=False))
    assert effects.count == 0
    assert asyncio.run(main(answer=True)) == ["a"]


@pytest.mark.parametrize("is_shared", [False, True], ids=["in memory", "in a store"])
@pytest.mark.parametrize("is_keyed", [False, True])
def test_a_call_that_a_limit_refuses_leaves_its_approval_usable(
    tmp_path: Path, is_shared: bool, is_keyed: bool
) -> None:
    begun, release = asyncio.Event(), asyncio.Event()

    async def act(input: object) -> str:
        begun.set()
        await release.wait()
        return "done"

    definition = tool(risk=2, idempotency="required") if is_keyed else tool(risk=2)
    store = open_store(f"sqlite:///{tmp_path}/calls.db" if is_shared else "memory:")
    registry = bound(definition, act)
    registry = registry.with_controls(store=store, limits=Limits(concurrency=1))

    async def main() -> None:
        first, second = ({"idempotency_key": name} if is_keyed else {"n": name} for name in "ab")
        running = asyncio.create_task(
            registry.call("demo_act", first, approval=approve("demo_act", first))
        )
        await begun.wait()
        approval = approve("demo_act", second)
        for _ in range(2):
            with pytest.raises(ToolError) as caught:
                await registry.call("demo_act", second, approval=approval)
            assert (caught.value.code, caught.value.retryable) == ("too_many_calls", True)
        release.set()
        await running
        assert await registry.call("demo_act", second, approval=approval) == "done"
        again = {"idempotency_key": "c"} if is_keyed else second
        with pytest.raises(ToolError) as caught:
            await registry.call("demo_act", again, approval=approval)
        assert caught.value.code == "approval_required"

    asyncio.run(main())
    store.close()


@pytest.mark.parametrize("failure", ["handler", "before hook"])
def test_a_call_that_was_admitted_uses_its_approval(failure: str) -> None:
    def fails(*_: object) -> None:
        raise ToolError.unavailable("not now")

    async def before(call: Call) -> None:
        if failure == "before hook":
            fails()

    registry = bound(tool(risk=2), fails).with_hooks(before=[before])
    approval = approve("demo_act", {})
    with pytest.raises(ToolError, match="not now"):
        call(registry, {}, approval=approval)
    assert "has been used" in refused(registry, {}, approval=approval).message


@pytest.mark.parametrize("approved", ["demo_act", "demo_do", "demo_do@1.0.0"])
@pytest.mark.parametrize("called", ["demo_act", "demo_do"])
def test_an_approval_may_name_an_alias_of_the_tool(approved: str, called: str) -> None:
    effects = Effects()
    definition = tool(risk=2, aliases=("demo_do",), version="1.0.0")
    registry = bound(definition, effects.act)
    approval = approve(approved, {"a": 1})
    assert asyncio.run(registry.call(called, {"a": 1}, approval=approval)) == "done"
    with pytest.raises(ToolError, match="has been used"):
        asyncio.run(registry.call(called, {"a": 1}, approval=approval))
