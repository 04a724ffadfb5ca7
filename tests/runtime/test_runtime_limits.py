"""Limits: places, rates and timeouts. Clocks are injected or jump; nothing here waits."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, streaming, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from stepping_loop import now, run
from toolspec.runtime import Call, Context, Outcome, Registry, ToolError, bind_service
from toolspec.runtime.controls.limits import Limits, Rate, RateLimit, RateLimits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MS = 1_000_000


class Clock:
    """Nanoseconds that a test sets."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def gate_of(gates: RateLimits, name: str = "act", service: str = "demo") -> RateLimit:
    gate = gates.of(tool(name), service)
    assert gate is not None
    return gate


def refused(gate: RateLimit, caller: str | None = None, session: str = "") -> ToolError | None:
    transport = {"session": session} if session else None
    try:
        gate.enter(SimpleNamespace(caller=caller, transport=transport))  # type: ignore[arg-type]  # all that it reads
    except ToolError as problem:
        return problem
    return None


def failed(work: object) -> ToolError:
    with pytest.raises(ToolError) as caught:
        run(work)  # type: ignore[arg-type]
    return caught.value


# Concurrency


def test_the_26th_call_at_a_time_is_refused_and_runs_once_another_has_ended() -> None:
    release = asyncio.Event()
    running = 0

    async def waits(input: object) -> str:
        nonlocal running
        running += 1
        await release.wait()
        return "done"

    async def main() -> None:
        registry = bound(tool(), waits)
        calls = [asyncio.create_task(registry.call("demo_act")) for _ in range(25)]
        await asyncio.sleep(0.1)
        assert running == 25
        with pytest.raises(ToolError) as caught:
            await registry.call("demo_act")
        assert caught.value.category == "rate_limit"
        assert caught.value.code == "too_many_calls"
        assert caught.value.retryable
        assert caught.value.retry_after_ms == 1_000
        assert running == 25
        release.set()
        assert await asyncio.gather(*calls) == ["done"] * 25
        assert await registry.call("demo_act") == "done"

    run(main())


def test_places_are_those_of_a_service_and_shared_by_what_is_made_of_a_registry() -> None:
    release = asyncio.Event()

    async def waits(input: object) -> None:
        await release.wait()

    async def main() -> None:
        both = bind_service(service(tool("act"), tool("look")), {"act": waits, "look": echo})
        first = both.with_controls(limits=Limits(concurrency=1))
        call = asyncio.create_task(first.call("demo_act"))
        await asyncio.sleep(0.1)
        for registry in (first, first.with_hooks()):
            with pytest.raises(ToolError, match="`demo` is busy: 1 calls are running"):
                await registry.call("demo_look")
        assert await both.call("demo_look") == {}
        release.set()
        await call

    run(main())


@pytest.mark.parametrize("ending", ["failure", "cancellation", "refusal of a hook"])
def test_a_place_comes_back_however_a_call_ends(ending: str) -> None:
    async def acts(input: object) -> None:
        if ending == "failure":
            raise ValueError(ending)
        await asyncio.sleep(60)

    async def refuses(call: Call) -> None:
        if ending.startswith("refusal"):
            raise ToolError.conflict("not now")

    async def main() -> None:
        limited = bound(tool(), acts).with_controls(limits=Limits(concurrency=1))
        registry = limited.with_hooks(before=[refuses])
        for _ in range(3):
            call = asyncio.create_task(registry.call("demo_act"))
            await asyncio.sleep(0.1)
            call.cancel()
            with pytest.raises((ToolError, asyncio.CancelledError)) as caught:
                await call
            assert getattr(caught.value, "code", "") != "too_many_calls"

    run(main())


def test_a_stream_holds_its_place_until_it_is_closed() -> None:
    async def endless(input: object) -> AsyncIterator[str]:
        while True:
            yield "x"

    async def main() -> None:
        registry = bound(streaming(), endless).with_controls(limits=Limits(concurrency=1))
        stream = registry.stream("demo_tell")
        assert await anext(stream) == "x"
        with pytest.raises(ToolError, match="busy"):
            await anext(registry.stream("demo_tell"))
        await stream.aclose()
        async with contextlib.aclosing(registry.stream("demo_tell")) as other:
            assert await anext(other) == "x"

    run(main())


# Rates


@given(
    calls=st.integers(1, 4),
    steps=st.lists(st.tuples(st.integers(0, 40), st.sampled_from("ab")), max_size=60),
    shared=st.sampled_from(("registry", "caller")),
)
@settings(derandomize=True, max_examples=150)
def test_a_window_slides_and_says_to_the_millisecond_when_to_come_back(
    calls: int, steps: list[tuple[int, str]], shared: str
) -> None:
    clock = Clock()
    rate = Rate(calls=calls, seconds=0.1, shared=shared)  # type: ignore[arg-type]
    gate = gate_of(RateLimits(Limits(concurrency=None, rates=(rate,)), clock))
    let_in: list[tuple[int, str]] = []
    for step, caller in steps:
        clock.now += step * MS
        recent = [
            at
            for at, who in let_in
            if at > clock.now - 100 * MS and (shared == "registry" or who == caller)
        ]
        problem = refused(gate, caller)
        if len(recent) < calls:
            assert problem is None
            let_in.append((clock.now, caller))
        else:
            assert problem is not None
            assert problem.code == "too_often"
            assert problem.retry_after_ms == (recent[-calls] + 100 * MS - clock.now) // MS


def test_a_refused_call_counts_in_no_window() -> None:
    clock = Clock()
    rates = (Rate(calls=1, seconds=1, shared="tool"), Rate(calls=3, seconds=60, shared="service"))
    gates = RateLimits(Limits(concurrency=None, rates=rates), clock)
    one, two, other = gate_of(gates), gate_of(gates, "look"), gate_of(gates, "put", "another")
    assert refused(one) is None
    for _ in range(9):
        assert refused(one) is not None
    assert refused(two) is None
    clock.now = 1_500 * MS
    assert refused(one) is None
    problem = refused(two)
    assert problem is not None
    assert problem.retry_after_ms == 58_500
    assert problem.details == {"calls": 3, "seconds": 60, "shared": "service"}
    assert refused(other) is None


def test_callers_without_a_name_are_their_sessions() -> None:
    rate = Rate(calls=1, seconds=1, shared="caller")
    gate = gate_of(RateLimits(Limits(concurrency=None, rates=(rate,)), Clock()))
    for who in ((None, "one"), (None, "two"), (None, ""), ("ann", "one")):
        assert refused(gate, *who) is None
        assert refused(gate, *who) is not None
    assert refused(gate, "ann", "two") is not None


def test_windows_of_callers_who_have_gone_are_dropped() -> None:
    clock = Clock()
    rate = Rate(calls=1, seconds=1, shared="caller")
    gates = RateLimits(Limits(concurrency=None, rates=(rate,)), clock)
    gate = gate_of(gates)
    for number in range(10_000):
        clock.now += 100 * MS
        assert refused(gate, str(number)) is None
    assert len(gates._callers) <= 128


def test_a_rate_holds_in_a_registry() -> None:
    rates = (Rate(calls=2, seconds=3600, shared="caller"),)

    async def main() -> list[object]:
        registry = bound(tool(), echo).with_controls(limits=Limits(rates=rates))
        calls = (registry.call("demo_act", caller=caller) for caller in "aabab")
        return await asyncio.gather(*calls, return_exceptions=True)

    codes = [getattr(one, "code", "ok") for one in run(main())]
    assert codes == ["ok", "ok", "ok", "too_often", "ok"]


NAN, ENDLESS = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (5, ["the limits are 5 (int): they must be a `Limits`"]),
        ({"concurrency": 0}, ["`concurrency` is 0"]),
        ({"concurrency": 2.5}, ["`concurrency` is 2.5"]),
        ({"concurrency": True}, ["`concurrency` is True (bool)"]),
        ({"idle": 0, "total": -1}, ["`idle` is 0", "`total` is -1"]),
        ({"idle": NAN, "total": "5"}, ["`idle` is nan", "`total` is '5' (str)"]),
        ({"total": ENDLESS}, ["`total` is inf"]),
        ({"rates": 5}, ["`rates` is 5 (int)"]),
        ({"rates": (5,)}, ["a rate is 5 (int)"]),
        ({"rates": (Rate(calls=0, seconds=1), Rate(calls=1, seconds=0))}, ["`calls`", "`seconds`"]),
        ({"rates": (Rate(calls=1.5, seconds=NAN),)}, ["`calls`", "`seconds`"]),  # type: ignore[arg-type]
        (
            {"concurrency": -1, "rates": (Rate(calls=1, seconds=1, shared="all"),)},  # type: ignore[arg-type]
            ["`concurrency` is -1", "`shared` must be one of registry, service, tool, caller"],
        ),
    ],
)
def test_limits_that_are_none_are_refused_all_at_once(wrong: object, said: list[str]) -> None:
    limits = Limits(**wrong) if isinstance(wrong, dict) else wrong
    with pytest.raises(ValueError, match=r"must be|is one of") as caught:
        bound(tool(), echo).with_controls(limits=limits)  # type: ignore[arg-type]
    lines = str(caught.value).split("; ")
    assert len(lines) == len(said)
    for line, part in zip(lines, said, strict=True):
        assert part in line


def test_a_policy_and_limits_that_are_wrong_are_told_together() -> None:
    with pytest.raises(ValueError, match=r"the policy is 5 .*; `idle` is -1"):
        bound(tool(), echo).with_controls(policy=5, limits=Limits(idle=-1))  # type: ignore[arg-type]


def test_limits_that_were_right_may_be_taken_away() -> None:
    limits = Limits(concurrency=None, rates=(Rate(calls=1, seconds=0.5),), idle=3, total=0.5)
    registry = bound(tool(), echo).with_controls(limits=limits).with_controls(limits=None)
    assert run(registry.call("demo_act")) == run(registry.call("demo_act")) == {}


def test_what_is_not_limited_has_no_stage() -> None:
    registry = bound(tool(), echo).with_controls(limits=Limits(concurrency=None))
    plan = registry._plan("demo_act")
    assert plan is not None
    assert (plan.admission, plan.clearance, plan.completion, plan.timeout) == ((), (), (), None)


# Timeouts


async def sleeps(input: object) -> str:
    await asyncio.sleep(10)
    return "awake"


@pytest.mark.parametrize(
    ("fields", "limits", "code", "at"),
    [
        ({"timeout_idle": 4.0}, Limits(), "idle_timeout", 4),
        ({"timeout_total": 5.0}, Limits(), "total_timeout", 5),
        ({"timeout_idle": 5.0, "timeout_total": 4.0}, Limits(), "total_timeout", 4),
        ({}, Limits(idle=3.0), "idle_timeout", 3),
        ({}, Limits(total=3.0), "total_timeout", 3),
        ({"timeout_total": 6.0}, Limits(total=3.0), "total_timeout", 6),
        ({"timeout_total": 11.0, "timeout_idle": 11.0}, Limits(total=3.0), "", 10),
    ],
)
def test_a_call_that_takes_too_long_is_answered_in_time(
    fields: dict[str, object], limits: Limits, code: str, at: float
) -> None:
    async def main() -> tuple[object, float]:
        registry = bound(tool(**fields), sleeps).with_controls(limits=limits)
        (answer,) = await asyncio.gather(registry.call("demo_act"), return_exceptions=True)
        return answer, now()

    answer, when = run(main())
    assert when == at
    if isinstance(answer, ToolError):
        assert (answer.category, answer.code, answer.retryable) == ("timeout", code, False)
    else:
        assert (answer, code) == ("awake", "")


def test_progress_is_a_sign_of_life_with_or_without_a_listener() -> None:
    async def works(input: object, ctx: Context) -> str:
        for step in range(5):
            await asyncio.sleep(4)
            ctx.progress(step)
        return "done"

    async def main() -> tuple[object, float]:
        return await bound(tool(timeout_idle=5.0), works).call("demo_act"), now()

    assert run(main()) == ("done", 20)
    late = failed(bound(tool(timeout_idle=5.0, timeout_total=17.0), works).call("demo_act"))
    assert late.code == "total_timeout"
    assert late.message == "`demo_act` took longer than 17 s"


def test_a_chunk_is_a_sign_of_life_also_where_the_whole_is_wanted() -> None:
    async def slow(input: object) -> AsyncIterator[str]:
        for _ in range(4):
            await asyncio.sleep(4)
            yield "x"

    registry = bound(streaming(timeout_idle=5.0), slow)
    assert run(registry.call("demo_tell")) == "xxxx"
    problem = failed(bound(streaming(timeout_idle=3.0), slow).call("demo_tell"))
    assert problem.code == "idle_timeout"


def test_a_slow_consumer_is_no_idle_handler() -> None:
    async def counts(input: object) -> AsyncIterator[str]:
        for number in range(3):
            await asyncio.sleep(1)
            yield str(number)

    async def main(**fields: object) -> tuple[list[object], float]:
        got: list[object] = []
        async for chunk in bound(streaming(**fields), counts).stream("demo_tell"):
            got.append(chunk)
            await asyncio.sleep(20)
        return got, now()

    assert run(main(timeout_idle=2.0)) == (["0", "1", "2"], 63)
    assert failed(main(timeout_idle=2.0, timeout_total=30.0)).code == "total_timeout"


def test_a_stream_that_falls_silent_is_answered_and_closed() -> None:
    ended: list[object] = []

    async def stuck(input: object, ctx: Context) -> AsyncIterator[str]:
        try:
            yield "x"
            await asyncio.sleep(60)
        finally:
            ended.append(ctx.cancelled.is_set())

    async def main() -> None:
        stream = bound(streaming(timeout_idle=5.0), stuck).stream("demo_tell")
        assert await anext(stream) == "x"
        with pytest.raises(ToolError) as caught:
            await anext(stream)
        assert (caught.value.code, now(), ended) == ("idle_timeout", 5, [True])

    run(main())


def test_the_handler_of_a_held_stream_runs_no_further_than_its_consumer() -> None:
    made: list[int] = []

    async def counts(input: object) -> AsyncIterator[str]:
        for number in range(10):
            made.append(number)
            yield str(number)

    async def main() -> None:
        registry = bound(streaming(timeout_idle=5.0), counts)
        async with contextlib.aclosing(registry.stream("demo_tell")) as stream:
            async for chunk in stream:
                await asyncio.sleep(1)
                assert str(made[-1]) == chunk
                if chunk == "4":
                    break
        assert made == [0, 1, 2, 3, 4]

    run(main())


def test_one_task_makes_all_chunks_of_a_held_stream() -> None:
    tasks: set[object] = set()

    async def notes(input: object) -> AsyncIterator[str]:
        async with asyncio.timeout(100):
            for _ in range(3):
                tasks.add(asyncio.current_task())
                yield "x"

    assert run(bound(streaming(timeout_idle=5.0), notes).call("demo_tell")) == "xxx"
    assert len(tasks) == 1


def test_who_ignores_cancellation_holds_neither_caller_nor_log_nor_his_place_for_ever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def stubborn(input: object) -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(50)
        await asyncio.sleep(50)
        return "too late"

    async def main() -> None:
        limited = bound(tool(timeout_total=5.0), stubborn)
        registry = limited.with_controls(limits=Limits(concurrency=1))
        with pytest.raises(ToolError) as caught:
            await registry.call("demo_act")
        assert (caught.value.code, now()) == ("total_timeout", 5)
        with pytest.raises(ToolError, match="busy"):
            await registry.call("demo_act")
        assert "was cancelled and still runs" in caplog.text
        await asyncio.sleep(51)
        assert "ended after its response was sent" in caplog.text
        with pytest.raises(ToolError) as caught:
            await registry.call("demo_act")
        assert caught.value.code == "total_timeout"
        await asyncio.sleep(51)

    run(main())


@pytest.mark.parametrize(
    ("problem", "logged"), [(OSError("no tidying up"), 1), (ToolError.cancelled("as told"), 0)]
)
def test_what_goes_wrong_after_a_cancellation_is_logged(
    problem: Exception, logged: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def untidy(input: object) -> str:
        try:
            await asyncio.sleep(50)
        finally:
            raise problem

    async def main() -> None:
        call = asyncio.ensure_future(bound(tool(timeout_total=99.0), untidy).call("demo_act"))
        await asyncio.sleep(1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    run(main())
    assert caplog.text.count("failed after it was cancelled") == logged
    assert caplog.text.count("no tidying up") == logged


def test_a_blocked_thread_does_not_hold_the_caller(caplog: pytest.LogCaptureFixture) -> None:
    release, seen = threading.Event(), threading.Event()

    def blocks(input: object, ctx: Context) -> str:
        release.wait()
        if ctx.cancelled.is_set():
            seen.set()
        return "too late"

    async def main() -> None:
        with pytest.raises(ToolError) as caught:
            await bound(tool(timeout_idle=5.0), blocks).call("demo_act")
        assert caught.value.code == "idle_timeout"
        release.set()
        await asyncio.to_thread(seen.wait)

    run(main())
    assert "its thread has ended after the call was over" in caplog.text


def test_leaving_a_program_through_a_held_handler_is_an_internal_error() -> None:
    async def leaves(input: object) -> None:
        sys.exit(3)

    assert failed(bound(tool(timeout_total=5.0), leaves).call("demo_act")).category == "internal"


@pytest.mark.parametrize("form", ["call", "stream"])
def test_cancelling_the_caller_lets_a_held_handler_clean_up_first(form: str) -> None:
    ended: list[float] = []

    async def works(input: object) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(2)
            ended.append(now())

    async def chunks(input: object) -> AsyncIterator[str]:
        await works(input)
        yield "never"

    outcomes: list[Outcome] = []

    async def note(call: Call, outcome: Outcome) -> None:
        outcomes.append(outcome)

    async def main() -> None:
        if form == "call":
            registry = bound(tool(timeout_idle=50.0), works)
            work = registry.with_hooks(after_response=[note]).call("demo_act")
        else:
            registry = bound(streaming(timeout_idle=50.0), chunks)
            work = anext(registry.with_hooks(after_response=[note]).stream("demo_tell"))  # type: ignore[assignment]
        task = asyncio.ensure_future(work)
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == [3]
        await asyncio.sleep(1)

    run(main())
    assert [one.status for one in outcomes] == ["cancelled"]


def test_a_cancelled_call_waits_for_a_stubborn_handler_only_until_its_time_is_up() -> None:
    async def stubborn(input: object) -> None:
        for _ in range(4):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(30)

    async def main() -> None:
        task = asyncio.create_task(bound(tool(timeout_total=5.0), stubborn).call("demo_act"))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert now() == 5
        await asyncio.sleep(100)

    run(main())


def test_a_call_cancelled_before_it_begins_leaves_nothing_behind() -> None:
    async def main() -> None:
        task = asyncio.create_task(bound(tool(timeout_total=5.0), echo).call("demo_act"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())


def test_time_passes_only_for_what_comes_after_the_approval() -> None:
    async def slowly(question: object) -> bool:
        await asyncio.sleep(100)
        return True

    registry = bound(tool(risk=3, mutation=True, timeout_total=5.0), echo)
    assert run(registry.with_controls(approver=slowly).call("demo_act")) == {}


def test_a_handler_that_waits_for_an_answer_is_not_idle() -> None:
    async def slowly(question: object) -> bool:
        await asyncio.sleep(100)
        return True

    async def asks(input: object, ctx: Context) -> str:
        await ctx.request_permission("file:/a", "to write")
        await asyncio.sleep(4)
        return "written"

    async def main(**fields: object) -> object:
        registry = bound(tool(**fields), asks).with_controls(approver=slowly)
        return await registry.call("demo_act")

    assert run(main(timeout_idle=5.0)) == "written"
    assert failed(main(timeout_idle=3.0)).code == "idle_timeout"
    assert failed(main(timeout_total=50.0)).code == "total_timeout"


def test_a_registry_is_as_it_was_for_tools_that_are_quick() -> None:
    registry: Registry = bound(tool(timeout_idle=1.0, timeout_total=1.0), echo)
    assert run(registry.call("demo_act", {"a": [1]})) == {"a": [1]}
