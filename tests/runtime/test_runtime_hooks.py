from __future__ import annotations

import asyncio
from typing import Any

import pytest
from example_service import bound, echo, service, streaming, tool
from toolspec.runtime import (
    BindError,
    Call,
    Failure,
    Outcome,
    Registry,
    ToolError,
    bind_service,
    merge,
)


class Trace:
    """Hooks that write down that they ran, under the names that a spec would use."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def before(self, name: str) -> object:
        async def hook(call: Call) -> None:
            self.seen.append(name)

        return hook

    def middleware(self, name: str) -> object:
        async def hook(call: Call, following: object) -> object:
            self.seen.append(f"{name} in")
            result = await following()  # type: ignore[operator]
            self.seen.append(f"{name} out")
            return result

        return hook

    def after(self, name: str) -> object:
        async def hook(call: Call, result: object) -> None:
            self.seen.append(name)

        return hook

    def after_response(self, name: str) -> object:
        async def hook(call: Call, outcome: Outcome) -> None:
            self.seen.append(f"{name} {outcome.status}")

        return hook

    def on_error(self, name: str) -> object:
        async def hook(failure: Failure) -> None:
            self.seen.append(f"{name} {failure.error.code}")

        return hook


def everywhere(registry: Registry, trace: Trace) -> Registry:
    return registry.with_hooks(
        before=[trace.before("global before")],  # type: ignore[list-item]
        middleware=[trace.middleware("global middleware")],  # type: ignore[list-item]
        after=[trace.after("global after")],  # type: ignore[list-item]
        after_response=[trace.after_response("global response")],  # type: ignore[list-item]
        on_error=[trace.on_error("error")],  # type: ignore[list-item]
    )


def hooked(trace: Trace, **handlers: object) -> Registry:
    names = {
        "before": ("check",),
        "middleware": ("cache",),
        "after": ("tidy",),
        "after_response": ("audit",),
    }
    hooks = {
        "check": trace.before("before"),
        "cache": trace.middleware("middleware"),
        "tidy": trace.after("after"),
        "audit": trace.after_response("response"),
    }
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    definition = tool(verify="verify_act" in handlers, arguments_schema=schema, **names)
    registry = bind_service(service(definition), handlers, hooks=hooks)
    return everywhere(registry, trace)


def run(registry: Registry, name: str = "demo_act", arguments: object = None) -> object:
    async def main() -> object:
        try:
            return await registry.call(name, arguments)  # type: ignore[arg-type]
        except ToolError as error:
            return error
        finally:
            await registry.settled()

    return asyncio.run(main())


def test_the_stages_run_in_their_order() -> None:
    trace = Trace()

    async def act(input: object) -> object:
        trace.seen.append("handler")
        return input

    async def verify_act(input: object, output: object) -> None:
        trace.seen.append("verify")

    assert run(hooked(trace, act=act, verify_act=verify_act), arguments={"a": 1}) == {"a": 1}
    assert trace.seen == [
        "global before",
        "before",
        "global middleware in",
        "middleware in",
        "handler",
        "middleware out",
        "global middleware out",
        "verify",
        "after",
        "global after",
        "response ok",
        "global response ok",
    ]


def test_on_error_runs_once_for_every_failure() -> None:
    async def fails(input: object) -> object:
        raise ToolError.conflict("taken")

    for handler, arguments, name, code in [
        (fails, {}, "demo_act", "conflict"),
        (echo, {"a": "x"}, "demo_act", "validation"),
        (echo, {}, "demo_nothing", "unknown_tool"),
    ]:
        trace = Trace()
        error = run(hooked(trace, act=handler), name, arguments)
        assert isinstance(error, ToolError)
        assert [line for line in trace.seen if line.startswith("error")] == [f"error {code}"]


def test_a_failure_tells_hooks_the_error_and_its_cause() -> None:
    seen: list[Failure] = []

    async def note(failure: Failure) -> None:
        seen.append(failure)

    async def fails(input: object) -> object:
        raise KeyError("secret")

    error = run(bound(tool(), fails).with_hooks(on_error=[note]), arguments={"a": 1})
    (failure,) = seen
    assert failure.error is error
    assert isinstance(failure.cause, KeyError)
    assert failure.call is not None
    assert failure.call.input == {"a": 1}
    assert failure.name == "demo_act"


def test_a_before_hook_that_raises_stops_the_call() -> None:
    trace = Trace()

    async def refuse(call: Call) -> None:
        message = "not today"
        raise ToolError.unavailable(message)

    error = run(hooked(trace, act=echo).with_hooks(before=[refuse]))
    assert isinstance(error, ToolError)
    assert error.retryable
    assert trace.seen == ["error unavailable", "response failed", "global response failed"]


def test_middleware_may_answer_without_the_handler_and_its_answer_is_checked() -> None:
    async def never(input: object) -> object:
        raise AssertionError

    def answering(value: object) -> object:
        async def middleware(call: Call, following: object) -> object:
            return value

        return middleware

    registry = bound(tool(output_schema={"type": "string"}), never)
    good = registry.with_hooks(middleware=[answering("cached")])  # type: ignore[list-item]
    bad = registry.with_hooks(middleware=[answering(1)])  # type: ignore[list-item]
    assert run(good) == "cached"
    error = run(bad)
    assert isinstance(error, ToolError)
    assert error.category == "output"


def test_middleware_may_try_again() -> None:
    attempts = []

    async def flaky(input: object) -> int:
        attempts.append(1)
        if len(attempts) < 3:
            message = "busy"
            raise ToolError.unavailable(message)
        return len(attempts)

    async def retry(call: Call, following: object) -> object:
        while True:
            try:
                return await following()  # type: ignore[operator]
            except ToolError as error:
                if not error.retryable:
                    raise

    assert run(bound(tool(), flaky).with_hooks(middleware=[retry])) == 3


def test_an_after_hook_replaces_the_result_by_returning_one() -> None:
    async def act(input: object) -> dict[str, int]:
        return {"n": 1}

    async def more(call: Call, result: dict[str, int]) -> object:
        result["ruined"] = 1  # its own copy
        return {"n": result["n"] + 1}

    async def only_looks(call: Call, result: dict[str, int]) -> None:
        result.clear()

    registry = bound(tool(output_schema={"required": ["n"]}), act)
    assert run(registry.with_hooks(after=[more, only_looks, more])) == {"n": 3}  # type: ignore[list-item]


def test_a_replaced_result_is_checked_again() -> None:
    async def spoil(call: Call, result: object) -> object:
        return "not an object"

    registry = bound(tool(output_schema={"type": "object"}), echo).with_hooks(after=[spoil])
    error = run(registry)
    assert isinstance(error, ToolError)
    assert error.category == "output"


def test_an_after_hook_that_raises_is_logged_and_the_result_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def raises(call: Call, result: dict[str, int]) -> object:
        result.clear()
        raise RuntimeError("boom")

    trace = Trace()
    registry = everywhere(bound(tool(), echo), trace).with_hooks(after=[raises])  # type: ignore[list-item]
    assert run(registry, arguments={"a": 1}) == {"a": 1}
    assert "an after hook failed; the result is kept" in caplog.text
    assert not [line for line in trace.seen if line.startswith("error")]


def test_after_response_can_change_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def ruin(call: Call, outcome: Outcome) -> None:
        assert isinstance(outcome.result, dict)
        outcome.result.clear()
        raise RuntimeError("boom")

    trace = Trace()
    registry = everywhere(bound(tool(), echo).with_hooks(after_response=[ruin]), trace)
    assert run(registry, arguments={"a": 1}) == {"a": 1}
    assert "an afterResponse hook failed" in caplog.text
    assert "global response ok" in trace.seen


def test_after_response_does_not_delay_the_answer() -> None:
    release = asyncio.Event()
    seen: list[str] = []

    async def slow(call: Call, outcome: Outcome) -> None:
        await release.wait()
        seen.append("response")

    async def main() -> None:
        registry = bound(tool(), echo).with_hooks(after_response=[slow])
        await registry.call("demo_act")
        seen.append("answered")
        release.set()
        await registry.settled()

    asyncio.run(main())
    assert seen == ["answered", "response"]


def test_an_on_error_hook_that_raises_hides_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def raises(failure: Failure) -> None:
        raise RuntimeError("boom")

    trace = Trace()
    registry = everywhere(bound(tool(), echo), trace).with_hooks(on_error=[raises])
    error = run(registry, "demo_nothing")
    assert isinstance(error, ToolError)
    assert error.code == "unknown_tool"
    assert "error unknown_tool" in trace.seen
    assert "an on_error hook failed" in caplog.text


def test_state_is_shared_between_the_hooks_of_one_call_only() -> None:
    async def mark(call: Call) -> None:
        assert not call.context.state
        call.context.state["mark"] = call.input

    async def read(call: Call, result: object) -> object:
        return call.context.state["mark"]

    registry = bound(tool(), echo).with_hooks(before=[mark], after=[read])
    assert run(registry, arguments={"a": 1}) == {"a": 1}
    assert run(registry, arguments={"a": 2}) == {"a": 2}


def test_hooks_stand_around_those_there_were() -> None:
    trace = Trace()
    registry = bound(tool(), echo).with_hooks(middleware=[trace.middleware("inner")])  # type: ignore[list-item]
    run(registry.with_hooks(middleware=[trace.middleware("outer")]))  # type: ignore[list-item]
    assert trace.seen == ["outer in", "inner in", "inner out", "outer out"]
    trace.seen.clear()
    run(registry)
    assert trace.seen == ["inner in", "inner out"]


def test_registries_with_hooks_of_their_own_do_not_merge() -> None:
    async def nothing(call: Call) -> None: ...

    hooked_registry = bound(tool("a"), echo).with_hooks(before=[nothing])
    with pytest.raises(BindError, match="merge first, then add the hooks"):
        merge(hooked_registry, bound(tool("b"), echo))


def test_cancellation_is_no_failure_and_afterresponse_sees_it() -> None:
    trace = Trace()
    started = asyncio.Event()

    async def waits(input: object) -> None:
        started.set()
        await asyncio.sleep(60)

    async def main() -> None:
        registry = everywhere(bound(tool(), waits), trace)
        task = asyncio.create_task(registry.call("demo_act"))  # type: ignore[arg-type]
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await registry.settled()

    asyncio.run(main())
    assert trace.seen[-1] == "global response cancelled"
    assert not [line for line in trace.seen if line.startswith("error")]


def test_hooks_of_a_stream_see_the_call_and_its_end() -> None:
    trace = Trace()

    async def tell(input: object) -> object:
        yield "a"
        yield "b"

    whole: list[object] = []

    async def look(call: Call, result: object) -> str:
        whole.append(result)
        return "too late"

    async def main() -> list[object]:
        registry = everywhere(bound(streaming(), tell), trace).with_hooks(after=[look])
        chunks = [chunk async for chunk in registry.stream("demo_tell")]
        await registry.settled()
        return chunks

    assert asyncio.run(main()) == ["a", "b"]
    assert whole == ["ab"]
    assert trace.seen == [
        "global before",
        "global middleware in",
        "global middleware out",
        "global after",
        "global response ok",
    ]


async def one(call: object) -> None:
    """Take one argument, as a `before` hook does."""


@pytest.mark.parametrize("kind", ["before", "middleware", "after", "after_response", "on_error"])
@pytest.mark.parametrize("hooks", [5, None, one, "hook", [5], [lambda: None], [print, one, 5]])
def test_what_cannot_be_a_hook_is_refused(kind: str, hooks: Any) -> None:
    registry = bound(tool(), one)
    with pytest.raises(ValueError, match=r"hook.*`async def …\("):
        registry.with_hooks(**{kind: hooks})


def test_all_that_cannot_be_a_hook_is_refused_at_once() -> None:
    registry = bound(tool(), one)
    wrong: dict[str, Any] = {"before": [one, lambda call: None], "on_error": (one, 5)}
    with pytest.raises(ValueError, match="before hook") as refused:
        registry.with_hooks(**wrong)
    assert str(refused.value).count("`async def …") == 2
    registry.with_hooks(before=[one], after_response=[lambda call, outcome: None])
