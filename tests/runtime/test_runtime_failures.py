"""What users' code lets out, of whatever class, is a failure of that code and of nothing around it."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, streaming, tool
from toolspec.runtime import Outcome, Registry, ToolError, bind_service
from toolspec.runtime.failure import is_served
from toolspec.runtime.stores.memory import MemoryJournal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

    from toolspec.runtime import Failure
    from toolspec.runtime.stores import Entry


class Panic(BaseException):
    """Of no class that anybody catches."""


PROBLEMS = [ValueError, Panic, SystemExit, GeneratorExit, asyncio.CancelledError]
problems = pytest.mark.parametrize("problem", PROBLEMS)


def raising(problem: type[BaseException]) -> Callable[..., Awaitable[object]]:
    async def function(*_: object) -> object:
        await asyncio.sleep(0)
        raise problem("s3cret")

    return function


async def told(call: Coroutine[object, object, object]) -> ToolError:
    with pytest.raises(ToolError) as caught:
        await call
    return caught.value


# A handler


@problems
@pytest.mark.parametrize("total", [None, 20.0])
@pytest.mark.parametrize("threaded", [True, False])
def test_a_handlers_own_failure_is_internal(
    problem: type[BaseException], total: float | None, threaded: bool
) -> None:
    def plain(input: object) -> object:
        raise problem("s3cret")

    async def main() -> None:
        handler = plain if threaded else raising(problem)
        registry = bound(tool(timeout_total=total), handler)
        error = await told(registry.call("demo_act"))
        assert (error.category, error.retryable) == ("internal", False)
        assert "s3cret" not in str(error)

    asyncio.run(main())


@pytest.mark.parametrize(
    "problem", [ConnectionError, ConnectionRefusedError, BrokenPipeError, TimeoutError]
)
@pytest.mark.parametrize("fields", [{"read_only": True}, {}], ids=["reads", "writes"])
def test_a_failed_connection_is_unavailable_and_keeps_its_text(
    problem: type[Exception], fields: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    async def handler(input: object) -> None:
        raise problem("s3cret.example refused")

    error = asyncio.run(told(bound(tool(**fields), handler).call("demo_act")))
    assert (error.category, error.code, error.retryable) == ("unavailable", "unavailable", True)
    assert error.details == ({} if fields else {"effect": "unknown"})
    assert "s3cret" not in str(error.to_wire())
    assert "s3cret.example" in caplog.text


@pytest.mark.parametrize("fields", [{}, {"idempotent": True}], ids=["once", "idempotent"])
def test_a_key_of_a_failed_connection_has_an_unknown_outcome(fields: dict[str, object]) -> None:
    runs: list[object] = []

    async def handler(input: object) -> str:
        runs.append(input)
        if len(runs) == 1:
            raise ConnectionResetError
        return "done"

    keyed = {"arguments_schema": {}, "idempotency": "optional", **fields}
    registry = bound(tool(**keyed), handler)

    async def main() -> None:
        first = await told(registry.call("demo_act", {"idempotency_key": "k"}))
        assert (first.category, first.retryable) == ("unavailable", bool(fields))
        again = registry.call("demo_act", {"idempotency_key": "k"})
        if fields:
            assert await again == "done"
        else:
            assert (await told(again)).code == "outcome_unknown"

    asyncio.run(main())


@problems
@pytest.mark.parametrize("total", [None, 20.0])
@pytest.mark.parametrize("whole", [True, False])
def test_so_is_one_in_a_stream(
    problem: type[BaseException], total: float | None, whole: bool
) -> None:
    ends: list[str] = []

    async def tell(input: object) -> AsyncIterator[str]:
        yield "a"
        raise problem("s3cret")

    async def main() -> None:
        async def note(_: object, outcome: Outcome) -> None:
            ends.append(outcome.status)

        registry = bound(streaming(timeout_total=total), tell).with_hooks(after_response=[note])
        error = await told(registry.call("demo_tell") if whole else chunks_of(registry))
        assert error.category == "internal"
        await registry.settled()

    asyncio.run(main())
    assert ends == ["failed"]


async def chunks_of(registry: Registry) -> list[object]:
    return [chunk async for chunk in registry.stream("demo_tell")]


def test_a_keyboard_interrupt_in_a_worker_thread_is_its_functions_own() -> None:
    def plain(input: object) -> object:
        raise KeyboardInterrupt

    async def main() -> None:
        assert (await told(bound(tool(), plain).call("demo_act"))).category == "internal"

    asyncio.run(main())


def test_a_keyboard_interrupt_in_the_loop_is_for_the_process_and_the_call_is_ended() -> None:
    """Python has no other word for Ctrl-C: nobody could tell a handler's own from a person's."""
    ends: list[str] = []

    async def interrupted(input: object) -> None:
        raise KeyboardInterrupt

    async def note(_: object, outcome: Outcome) -> None:
        ends.append(outcome.status)

    registry = bound(tool(), interrupted).with_hooks(after_response=[note])
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(registry.call("demo_act"))
    assert ends in ([], ["cancelled"])  # the loop goes down around the hook


@pytest.mark.parametrize("total", [None, 20.0])
@pytest.mark.parametrize("raises_at_ctrl_c", [False, True])
def test_a_keyboard_interrupt_in_a_server_is_the_handlers_own(
    total: float | None, raises_at_ctrl_c: bool
) -> None:
    """A server ends at Ctrl-C by itself, unless nothing took the place of Python's own handler."""

    async def main() -> ToolError:
        is_served.set(True)
        registry = bound(tool(timeout_total=total), raising(KeyboardInterrupt))
        if raises_at_ctrl_c:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return await told(registry.call("demo_act"))

    before = signal.getsignal(signal.SIGINT)
    try:
        if raises_at_ctrl_c:
            with pytest.raises(KeyboardInterrupt):
                asyncio.run(main())
        else:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            assert asyncio.run(main()).category == "internal"
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_place_of_a_call_is_given_back() -> None:
    async def main() -> None:
        registry = bound(tool(), raising(GeneratorExit))
        for _ in range(30):
            assert (await told(registry.call("demo_act"))).category == "internal"

    asyncio.run(main())


# Hooks


@problems
def test_an_on_error_hook_changes_nothing_and_keeps_no_other_from_being_told(
    problem: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []

    async def second(failure: Failure) -> None:
        seen.append(failure.error.code)

    async def note(_: object, outcome: Outcome) -> None:
        seen.append(outcome.status)

    async def conflict(input: object) -> None:
        raise ToolError.conflict("taken")

    async def main() -> None:
        registry = bound(tool(), conflict).with_hooks(
            on_error=[raising(problem), second],  # type: ignore[list-item]  # it raises in any case
            after_response=[raising(problem), note],  # type: ignore[list-item]  # the same
        )
        assert (await told(registry.call("demo_act"))).code == "conflict"
        assert (await told(registry.call("demo_nothing"))).code == "unknown_tool"
        await registry.settled()

    asyncio.run(main())
    assert sorted(seen) == ["conflict", "failed", "unknown_tool"]
    assert "an on_error hook failed" in caplog.text
    assert "an afterResponse hook failed" in caplog.text


@problems
def test_a_key_is_settled_whatever_the_hooks_do(problem: type[BaseException]) -> None:
    async def conflict(input: object) -> None:
        raise ToolError.conflict("taken")

    async def main() -> None:
        definition = tool(idempotency="optional", arguments_schema={"type": "object"})
        registry = bound(definition, conflict)
        hooked = registry.with_hooks(on_error=[raising(problem)])  # type: ignore[list-item]  # the same
        for each in (hooked, registry):
            error = await told(each.call("demo_act", {"idempotency_key": "k"}))
            assert error.code == "conflict"

    asyncio.run(main())


@problems
def test_an_after_hook_costs_no_result(
    problem: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    registry = bound(tool(), echo).with_hooks(after=[raising(problem)])
    assert asyncio.run(registry.call("demo_act")) == {}
    assert "an after hook failed" in caplog.text


@problems
def test_a_verify_that_fails_is_a_failed_verification(problem: type[BaseException]) -> None:
    async def main() -> None:
        handlers = {"act": echo, "verify_act": raising(problem)}
        registry = bind_service(service(tool(verify=True)), handlers)
        error = await told(registry.call("demo_act"))
        assert (error.category, error.details) == ("verification", {"output": {}})

    asyncio.run(main())


@problems
@pytest.mark.parametrize("hook", ["before", "middleware"])
def test_before_and_middleware_stop_the_call(problem: type[BaseException], hook: str) -> None:
    async def main() -> None:
        registry = bound(tool(), echo).with_hooks(**{hook: [raising(problem)]})  # type: ignore[arg-type]  # one of two
        assert (await told(registry.call("demo_act"))).category == "internal"

    asyncio.run(main())


@problems
def test_an_approver_that_fails_says_no(
    problem: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        registry = bound(tool(risk=3, mutation=True), echo)
        error = await told(registry.call("demo_act", approver=raising(problem)))  # type: ignore[arg-type]  # it never answers
        assert error.category == "permission"

    asyncio.run(main())
    assert "the approver failed" in caplog.text


# Reverts


def reverting(reasons: dict[int, BaseException], journal: MemoryJournal | None = None) -> Registry:
    async def act(input: object) -> object:
        return input

    async def revert_act(input: dict[str, int], output: object, metadata: object) -> None:
        if input["n"] in reasons:
            raise reasons[input["n"]]

    definition = tool(mutation=True, revert=True)
    registry = bind_service(service(definition), {"act": act, "revert_act": revert_act})
    return registry.with_controls(journal=journal or MemoryJournal())


@problems
def test_a_revert_that_fails_loses_no_outcome(problem: type[BaseException]) -> None:
    async def main() -> None:
        reasons = {2: problem("s3cret")}
        registry = reverting(reasons)
        for number in (1, 2, 3):
            await registry.call("demo_act", {"n": number})
        outcomes = await registry.revert_all()
        assert [one.status for one in outcomes] == ["reverted", "failed", "reverted"]
        assert "s3cret" not in repr(outcomes)
        reasons.clear()
        assert [one.status for one in await registry.revert_all()] == ["reverted"]

    asyncio.run(main())


class FailingJournal(MemoryJournal):
    """Fails in one method, in the way it is told."""

    def __init__(self, method: str, problem: type[BaseException]) -> None:
        super().__init__()
        self.fails = (method, problem)

    def _may_fail(self, method: str) -> None:
        if self.fails[0] == method:
            raise self.fails[1]("s3cret")

    async def finish(self, entry: str, output: object, metadata: object) -> None:
        self._may_fail("finish")
        await super().finish(entry, output, metadata)  # type: ignore[arg-type]  # as they came

    async def entries(self) -> list[Entry]:
        self._may_fail("entries")
        return await super().entries()

    async def reverting(self, entry: str) -> bool:
        self._may_fail("reverting")
        return await super().reverting(entry)

    async def reverted(self, entry: str) -> None:
        self._may_fail("reverted")
        await super().reverted(entry)


@problems
@pytest.mark.parametrize(
    ("method", "status"),
    [("finish", "unknown"), ("reverting", "failed"), ("reverted", "reverted")],
)
def test_a_journal_that_fails_is_told_as_such(
    problem: type[BaseException], method: str, status: str
) -> None:
    async def main() -> None:
        registry = reverting({}, FailingJournal(method, problem))
        assert await registry.call("demo_act", {"n": 1}) == {"n": 1}
        assert [one.status for one in await registry.revert_all()] == [status]

    asyncio.run(main())


@problems
def test_a_journal_that_cannot_be_read(problem: type[BaseException]) -> None:
    async def main() -> None:
        registry = reverting({}, FailingJournal("entries", problem))
        assert (await told(registry.revert_all())).code == "store_unavailable"
        assert (await told(registry.revert_last())).code == "store_unavailable"

    asyncio.run(main())


def test_what_nobody_was_told_is_told_again() -> None:
    """A caller that goes away in the middle of a revert has heard nothing of it."""

    async def main() -> None:
        began = asyncio.Event()

        async def revert_act(input: object, output: object, metadata: object) -> None:
            began.set()
            await asyncio.Event().wait()

        definition = tool(mutation=True, revert=True, timeout_total=0.2)
        registry = bind_service(service(definition), {"act": echo, "revert_act": revert_act})
        await registry.call("demo_act", {"n": 1})
        leaves = asyncio.create_task(registry.revert_last())
        await began.wait()
        leaves.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaves
        outcome = await registry.revert_last()
        assert outcome is not None
        assert outcome.status == "unknown"
        assert await registry.revert_last() is None

    asyncio.run(main())


# What is nobody's failure


@pytest.mark.parametrize("hook", ["on_error", "after", "middleware", "before"])
def test_cancellation_passes_through_hooks_and_the_rest_is_told(hook: str) -> None:
    ends: list[str] = []

    async def conflict(input: object) -> object:
        if hook == "on_error":
            raise ToolError.conflict("taken")
        return input

    async def note(_: object, outcome: Outcome) -> None:
        ends.append(outcome.status)

    async def main() -> None:
        began = asyncio.Event()

        async def waits(*_: object) -> None:
            began.set()
            await asyncio.Event().wait()

        registry = bound(tool(), conflict).with_hooks(**{hook: [waits]}, after_response=[note])
        call = asyncio.create_task(registry.call("demo_act"))
        await began.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await registry.settled()

    asyncio.run(main())
    assert ends == ["failed" if hook == "on_error" else "cancelled"]


def test_a_second_hook_is_told_though_the_first_was_cancelled() -> None:
    seen: list[str] = []

    async def second(failure: Failure) -> None:
        seen.append(failure.error.code)

    async def main() -> None:
        began = asyncio.Event()

        async def waits(_: object) -> None:
            began.set()
            await asyncio.Event().wait()

        registry = bound(tool(), echo).with_hooks(on_error=[waits, second])
        call = asyncio.create_task(registry.call("demo_nothing"))
        await began.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(main())
    assert seen == ["unknown_tool"]
