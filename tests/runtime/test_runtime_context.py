from __future__ import annotations

import asyncio
import copy
import json
import logging
import operator
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, streaming, tool
from toolspec.runtime import ClientCallbacks, Context, Progress, ToolError, bind_service
from toolspec.runtime.confidential import Confidential

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from toolspec.runtime import ToolDefinition
    from toolspec.shared.json_values import JsonValue

SECRETS = {"apiKey": "s3cret-key", "nested": {"token": "s3cret-token"}}


def test_a_context_knows_its_call() -> None:
    async def look(input: object, ctx: Context) -> object:
        assert ctx.transport == {"session": "s1"}
        return [ctx.tool, ctx.service, ctx.request_id, ctx.caller]

    registry = bound(tool(), look)
    call = registry.call("demo_act", {}, caller="ada", transport={"session": "s1"}, request_id="r1")
    assert asyncio.run(call) == ["demo_act", "demo", "r1", "ada"]


def test_request_ids_are_made_up_where_none_is_given() -> None:
    async def look(input: object, ctx: Context) -> object:
        return [ctx.request_id, ctx.request_id]

    registry = bound(tool(), look)
    (one, same), (other, _) = (asyncio.run(registry.call("demo_act")) for _ in range(2))  # type: ignore[misc]
    assert one == same != other


def test_a_context_for_a_test_needs_nothing() -> None:
    ctx: Context[dict[str, int], None] = Context(settings={"pages": 3})
    assert ctx.settings["pages"] == 3
    assert ctx.credentials is None
    ctx.progress(1)
    assert not ctx.cancelled.is_set()
    assert ctx.request_id


def test_context_can_be_subscripted_at_run_time() -> None:
    assert Context[int, str] is not None


def test_credentials_are_whole_for_the_handler_and_hidden_in_every_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def use(input: object, ctx: Context[None, dict[str, object]]) -> object:
        assert ctx.credentials == SECRETS
        assert ctx.credentials["apiKey"] == "s3cret-key"
        ctx.log.warning("with %s and %r", ctx.credentials, ctx)
        return [str(ctx.credentials), repr(ctx), f"{ctx.credentials}"]

    registry = bind_service(service(tool(), auth="custom"), {"act": use}, credentials=SECRETS)
    shown = asyncio.run(registry.call("demo_act"))
    assert shown[0] == "{'apiKey': ********, 'nested': ********}"  # type: ignore[index]
    assert "s3cret" not in json.dumps(shown) + caplog.text + repr(registry)


@pytest.mark.parametrize("waits", [True, False])
def test_credentials_may_come_from_a_function_of_the_caller(waits: bool) -> None:
    async def later(caller: str | None) -> dict[str, object] | None:
        return {"token": f"of {caller}"} if caller else None

    def at_once(caller: str | None) -> dict[str, object] | None:
        return {"token": f"of {caller}"} if caller else None

    async def use(input: object, ctx: Context[None, dict[str, str]]) -> str:
        return ctx.credentials["token"]

    provider = later if waits else at_once
    registry = bind_service(service(tool(), auth="oauth2"), {"act": use}, credentials=provider)
    assert asyncio.run(registry.call("demo_act", caller="ada")) == "of ada"
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert (caught.value.category, caught.value.code) == ("auth", "no_credentials")
    assert caught.value.message == (
        "`demo` has no credentials for this call: the function that returns them (`credentials=` of "
        "`bind`, `--credentials` of `serve`) returned None for a call without a caller: name one by "
        "an authenticator, or by `caller=` of the call"
    )
    with pytest.raises(ToolError, match="returned None for the caller ``"):
        asyncio.run(registry.call("demo_act", caller=""))


def test_a_call_without_credentials_says_what_helps() -> None:
    async def use(input: object, ctx: Context[None, dict[str, str]]) -> str:
        return ctx.credentials["token"]

    registry = bind_service(service(tool(), auth="oauth2"), {"act": use})
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert (caught.value.category, caught.value.code) == ("auth", "no_credentials")
    for way in ("pass `credentials=` to `bind`,", "the environment", "`--settings FILE`"):
        assert way in caught.value.message
    assert "to the call" not in caught.value.message
    with pytest.raises(TypeError, match="unknown call option 'credentials'"):
        asyncio.run(registry.call("demo_act", credentials={"token": "a"}))  # type: ignore[call-arg]


def test_a_tool_that_does_not_touch_its_credentials_runs_without() -> None:
    registry = bind_service(service(tool(), auth="oauth2"), {"act": echo})
    assert asyncio.run(registry.call("demo_act")) == {}


def test_credentials_of_the_wrong_shape_are_an_auth_error_without_values(
    caplog: pytest.LogCaptureFixture,
) -> None:
    schema = {"properties": {"token": {"type": "string"}}, "required": ["tenant"]}
    definition = service(tool(), auth="custom", credentials_schema=json.dumps(schema))
    provider = {"token": 12345678}
    registry = bind_service(definition, {"act": echo}, credentials=lambda caller: provider)
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert (caught.value.category, caught.value.code) == ("auth", "bad_credentials")
    assert "credential `$.tenant`: is missing" in caplog.text
    assert "12345678" not in caplog.text + json.dumps(caught.value.to_wire())


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("given", ["s3cret", ["s3cret"], 7])
def test_credentials_that_are_no_mapping_are_an_auth_error_too(
    waits: bool, given: object, caplog: pytest.LogCaptureFixture
) -> None:
    async def later(caller: str | None) -> object:
        return given

    def at_once(caller: str | None) -> object:
        return given

    provider = later if waits else at_once
    registry = bind_service(service(tool(), auth="oauth2"), {"act": echo}, credentials=provider)  # type: ignore[arg-type]
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("demo_act"))
    assert caught.value.code == "bad_credentials"
    assert f"the credentials are {type(given).__name__}, not a mapping" in caplog.text
    assert "s3cret" not in caplog.text


def hidden(members: dict[str, JsonValue], *secret: str) -> Confidential:
    return Confidential(members, frozenset(secret))


@pytest.mark.parametrize(
    "made",
    [
        lambda one, other: {"more": 1} | one,
        lambda one, other: one | {"more": 1},
        lambda one, other: one | other,
        lambda one, other: other | one,
        operator.ior,
        lambda one, other: one.update(other) or one,
        lambda one, other: one.items(),
        lambda one, other: one.values(),
        lambda one, other: one.copy(),
        lambda one, other: copy.copy(one),
        lambda one, other: copy.deepcopy(one),
    ],
)
def test_what_is_made_of_secrets_hides_them(
    made: Callable[[Confidential, Confidential], object],
) -> None:
    one, other = hidden({"token": "s3cret-1", "pages": 3}, "token"), hidden({"k": "s3cret-2"}, "k")
    shown = f"{made(one, other)!r}"
    assert "s3cret" not in shown
    assert "********" in shown
    assert "3" in shown


def test_secrets_are_there_for_who_takes_them() -> None:
    one = hidden({"token": "s3cret", "pages": 3}, "token")
    assert list(one.items()) == [("token", "s3cret"), ("pages", 3)]
    assert list(one.values()) == ["s3cret", 3]
    assert ("pages", 3) in one.items()
    assert one | {"pages": 4} == {"token": "s3cret", "pages": 4}
    assert {"pages": 4, "a": 1} | one == {"pages": 3, "a": 1, "token": "s3cret"}
    assert json.loads(json.dumps(one)) == one
    with pytest.raises(TypeError):
        _ = one | 5  # type: ignore[operator]
    with pytest.raises(TypeError):
        _ = 5 | one  # type: ignore[operator]


def test_progress_never_goes_back_and_tells_numbers_and_words() -> None:
    reports: list[Progress] = []

    async def work(input: object, ctx: Context) -> None:
        ctx.progress(message="starting")
        ctx.progress(2, 10)
        ctx.progress(1, 10)
        ctx.progress(float("nan"))
        ctx.progress(message="still at it")
        ctx.progress(3.5, 10, "on")

    asyncio.run(bound(tool(), work).call("demo_act", on_progress=reports.append))
    assert [(one.value, one.total, one.message) for one in reports] == [
        (None, None, "starting"),
        (2, 10, None),
        (2, 10, None),
        (2, None, None),
        (2, None, "still at it"),
        (3.5, 10, "on"),
    ]


def test_progress_without_a_listener_is_dropped() -> None:
    async def work(input: object, ctx: Context) -> None:
        ctx.progress(1)

    assert asyncio.run(bound(tool(), work).call("demo_act")) is None


def test_progress_of_a_worker_thread_arrives_in_the_event_loop() -> None:
    heard: list[tuple[float | None, bool]] = []

    def listen(report: Progress) -> None:
        heard.append((report.value, threading.current_thread() is threading.main_thread()))

    def work(input: object, ctx: Context) -> None:
        ctx.progress(1)
        ctx.progress(2)

    asyncio.run(bound(tool(), work).call("demo_act", on_progress=listen))
    assert heard == [(1, True), (2, True)]


@pytest.mark.parametrize("definition", [tool(), tool(idempotency="optional"), streaming()])
@pytest.mark.parametrize("form", ["call", "stream"])
def test_a_listener_hears_nothing_after_its_call_was_answered(
    definition: ToolDefinition, form: str
) -> None:
    heard: list[float | None] = []
    contexts: list[Context] = []

    async def act(input: object, ctx: Context) -> str:
        contexts.append(ctx)
        ctx.progress(1)
        return "done"

    async def tell(input: object, ctx: Context) -> AsyncIterator[str]:
        yield await act(input, ctx)

    registry = bound(definition, tell if definition.streaming else act)

    def listen(report: Progress) -> None:
        heard.append(report.value)

    async def main() -> None:
        name = definition.full_name
        if form == "call":
            await registry.call(name, on_progress=listen)
        else:
            async for _ in registry.stream(name, on_progress=listen):
                pass
        contexts[0].progress(2)

    asyncio.run(main())
    assert heard == [1]


def test_a_thread_that_is_left_reports_to_nobody() -> None:
    heard: list[float | None] = []
    release, ended = threading.Event(), threading.Event()

    def hangs(input: object, ctx: Context) -> None:
        ctx.progress(1)
        release.wait(10)
        ctx.progress(2)
        ended.set()

    async def main() -> None:
        registry = bound(tool(timeout_total=0.05), hangs)
        with pytest.raises(ToolError, match="took longer"):
            await registry.call("demo_act", on_progress=lambda one: heard.append(one.value))
        release.set()
        assert await asyncio.to_thread(ended.wait, 10)

    asyncio.run(main())
    assert heard == [1]


def fails(report: Progress) -> None:
    raise ZeroDivisionError


def hides_a_coroutine(report: Progress) -> object:
    return listens_later(report)


async def listens_later(report: Progress) -> None: ...


async def reports_twice(input: object, ctx: Context) -> str:
    ctx.progress(1)
    ctx.progress(2)
    return "done"


def reports_twice_in_a_thread(input: object, ctx: Context) -> str:
    ctx.progress(1)
    ctx.progress(2)
    return "done"


@pytest.mark.parametrize("handler", [reports_twice, reports_twice_in_a_thread])
@pytest.mark.parametrize(
    ("listener", "said"),
    [(fails, "ZeroDivisionError"), (hides_a_coroutine, "give a plain function")],
)
def test_a_listener_that_fails_is_logged_and_the_call_goes_on(
    handler: object, listener: object, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    registry = bound(tool(), handler)  # type: ignore[arg-type]
    call = registry.call("demo_act", on_progress=listener, request_id="r1")  # type: ignore[arg-type]
    assert asyncio.run(call) == "done"
    assert caplog.messages == ["demo_act r1: the progress listener failed"] * 2
    assert said in caplog.text


def test_a_listener_that_is_async_is_refused_before_anything_runs() -> None:
    whole, parts = bound(tool(), echo), bound(streaming(), echo_chunks)
    with pytest.raises(TypeError, match="`on_progress` is async"):
        whole.call("demo_act", on_progress=listens_later)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`on_progress` is async"):
        parts.stream("demo_tell", on_progress=listens_later)  # type: ignore[arg-type]


def reports_from_a_thread(ctx: Context) -> None:
    ctx.progress(1)
    ctx.client_log("working")
    ctx.progress(2)


async def waits_for_a_thread(input: object, ctx: Context) -> str:
    await asyncio.to_thread(reports_from_a_thread, ctx)
    return "done"


async def waits_for_an_executor(input: object, ctx: Context) -> str:
    """Report from a thread that has no context variables of the call."""
    with ThreadPoolExecutor(1) as pool:
        await asyncio.get_running_loop().run_in_executor(pool, reports_from_a_thread, ctx)
    return "done"


async def yields_between_threads(input: object, ctx: Context) -> AsyncIterator[str]:
    yield await waits_for_a_thread(input, ctx)


async def verifies_in_a_thread(input: object, output: object, ctx: Context) -> None:
    await waits_for_a_thread(input, ctx)


@pytest.mark.parametrize(
    ("definition", "handler"),
    [
        (tool(), waits_for_a_thread),
        (tool(), waits_for_an_executor),
        (tool(timeout_idle=60.0), waits_for_a_thread),
        (tool(verify=True), lambda input: "done"),
        (streaming(), yields_between_threads),
    ],
)
@pytest.mark.parametrize("has_own_callbacks", [False, True])
def test_reports_of_any_thread_arrive_in_the_event_loop(
    definition: ToolDefinition, handler: Callable[..., object], has_own_callbacks: bool
) -> None:
    reports: list[tuple[object, bool]] = []

    def note(report: object) -> None:
        reports.append((report, threading.current_thread() is threading.main_thread()))

    handlers = {definition.method: handler}
    if definition.verify:
        handlers["verify_act"] = verifies_in_a_thread
    callbacks = ClientCallbacks(log=lambda message: note(message.data))
    registry = bind_service(service(definition), handlers)
    if has_own_callbacks:
        registry = registry.with_controls(callbacks=callbacks)
        options = {}
    else:
        options = {"callbacks": callbacks}
    name, listen = definition.full_name, lambda one: note(one.value)
    # Made outside of an event loop, as a program without one makes it.
    answer = asyncio.run(registry.call(name, on_progress=listen, **options))  # type: ignore[arg-type]
    assert answer == "done"
    assert reports == [(1, True), ("working", True), (2, True)]

    async def read() -> None:
        async for _ in registry.stream(name, on_progress=listen, **options):  # type: ignore[arg-type]
            pass

    reports.clear()
    asyncio.run(read())
    assert reports == [(1, True), ("working", True), (2, True)]


@pytest.mark.parametrize("is_streaming", [False, True])
def test_the_log_of_any_thread_arrives_without_options_of_the_call(is_streaming: bool) -> None:
    heard: list[bool] = []

    def note(_: object) -> None:
        heard.append(threading.current_thread() is threading.main_thread())

    async def revert_act(input: object, output: object, metadata: object, ctx: Context) -> None:
        await waits_for_a_thread(input, ctx)

    definition = streaming("act", revert=True) if is_streaming else tool(revert=True)
    handler = yields_between_threads if is_streaming else waits_for_a_thread
    handlers = {"act": handler, "revert_act": revert_act}
    registry = bind_service(service(definition), handlers)
    registry = registry.with_controls(callbacks=ClientCallbacks(log=note))

    async def main() -> None:
        await registry.call("demo_act")
        await registry.revert_all()

    asyncio.run(main())
    assert heard == [True, True]


def test_reports_in_the_event_loop_do_not_wait_for_it() -> None:
    heard: list[float | None] = []

    async def work(input: object, ctx: Context) -> list[float | None]:
        ctx.progress(1)
        return [*heard]

    call = bound(tool(), work).call("demo_act", on_progress=lambda one: heard.append(one.value))
    assert asyncio.run(call) == [1]


async def echo_chunks(input: object) -> AsyncIterator[str]:
    yield "x"


def test_a_cancelled_call_tells_its_worker_thread() -> None:
    started, stopped = threading.Event(), threading.Event()

    def work(input: object, ctx: Context) -> None:
        started.set()
        while not ctx.cancelled.is_set():
            stopped.wait(0.001)
        stopped.set()

    async def main() -> None:
        task = asyncio.create_task(bound(tool(), work).call("demo_act"))  # type: ignore[arg-type]
        assert await asyncio.to_thread(started.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(stopped.wait, 10)

    asyncio.run(main())


def test_what_a_cancelled_handler_left_running_sees_the_event() -> None:
    seen: list[str] = []

    async def leaves_one_behind(input: object, ctx: Context) -> None:
        async def watch() -> None:
            await ctx.cancelled.wait()
            seen.append("told")

        watchers.append(asyncio.create_task(watch()))
        started.set()
        await asyncio.sleep(60)

    watchers: list[asyncio.Task[None]] = []
    started = asyncio.Event()

    async def main() -> None:
        task = asyncio.create_task(bound(tool(), leaves_one_behind).call("demo_act"))  # type: ignore[arg-type]
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await watchers[0]

    asyncio.run(main())
    assert seen == ["told"]


def test_asking_for_a_permission_is_refused_while_nobody_can_be_asked() -> None:
    async def asks(input: object, ctx: Context) -> None:
        await ctx.request_permission("file:~/notes/a.md", "to read it")

    with pytest.raises(ToolError) as caught:
        asyncio.run(bound(tool(), asks).call("demo_act"))
    error = caught.value
    assert (error.category, error.code) == ("permission", "approval_required")
    assert {name: error.details[name] for name in ("kind", "resource", "operation")} == {
        "kind": "file",
        "resource": "~/notes/a.md",
        "operation": "",
    }


def test_a_context_made_by_hand_has_nobody_to_ask() -> None:
    with pytest.raises(ToolError, match="no approver is configured"):
        asyncio.run(Context().request_permission("file:~/notes/a.md", "to read it"))


def test_logs_carry_tool_and_request(caplog: pytest.LogCaptureFixture) -> None:
    async def logs(input: object, ctx: Context) -> None:
        ctx.log.warning("100%% of %s", "it", extra={"own": 1})

    registry = bound(tool(), logs, log=logging.getLogger("mine"))
    asyncio.run(registry.call("demo_act", request_id="r%s\n1"))
    # A thread of another test may end just now, and say so under the runtime's own name.
    (record,) = [each for each in caplog.records if each.name == "mine"]
    assert record.getMessage() == "demo_act r_s 1: 100% of it"
    assert (record.name, record.tool, record.own) == ("mine", "demo_act", 1)  # type: ignore[attr-defined]


def test_a_stream_gets_its_context_too() -> None:
    reports: list[Progress] = []

    async def tells(input: object, ctx: Context) -> AsyncIterator[str]:
        ctx.progress(1)
        yield ctx.request_id

    async def main() -> list[object]:
        stream = bound(streaming(), tells).stream(
            "demo_tell", request_id="r9", on_progress=reports.append
        )
        return [chunk async for chunk in stream]

    assert asyncio.run(main()) == ["r9"]
    assert len(reports) == 1
