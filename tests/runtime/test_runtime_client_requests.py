"""What a handler asks of its client, answered in process by callbacks of the caller."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from example_service import bound, service, tool
from stepping_loop import run
from toolspec.runtime import (
    ApprovalPending,
    Call,
    ClientCallbacks,
    Context,
    ElicitResult,
    FormRequest,
    Limits,
    LogMessage,
    Root,
    RootsRequest,
    SampleRequest,
    SampleResult,
    ToolError,
    bind_service,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from toolspec.shared.json_values import JsonObject, JsonValue

NAME: JsonObject = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 2}, "age": {"type": "integer"}},
    "required": ["name"],
}


def ask(handler: Callable[..., object], callbacks: ClientCallbacks | None) -> JsonValue:
    registry = bound(tool(), handler)
    return asyncio.run(registry.call("demo_act", {}, callbacks=callbacks))


async def name(input: object, ctx: Context) -> object:
    result = await ctx.elicit("Who are you?", NAME, key="who")
    return [result.action, result.content]


@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
def test_the_answer_to_a_form_is_typed(action: str) -> None:
    seen: list[FormRequest] = []

    def fill(form: FormRequest) -> ElicitResult:
        seen.append(form)
        content: JsonObject = {"name": "Ann", "age": None, "more": 1}
        return ElicitResult(action=action, content=content)  # type: ignore[arg-type]

    content = {"name": "Ann"} if action == "accept" else {}
    assert ask(name, ClientCallbacks(elicit=fill)) == [action, content]
    (form,) = seen
    assert (form.message, form.schema, form.tool, form.key) == (
        "Who are you?",
        NAME,
        "demo_act",
        "who",
    )


def test_content_is_validated_and_the_error_quotes_none_of_it() -> None:
    async def fill(form: FormRequest) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": "X", "age": "s3cret"})

    with pytest.raises(ToolError) as caught:
        ask(name, ClientCallbacks(elicit=fill))
    assert (caught.value.category, caught.value.code) == ("validation", "invalid_answer")
    assert {error.path for error in caught.value.field_errors} == {"$.name", "$.age"}
    assert "s3cret" not in str(caught.value.to_wire())


@pytest.mark.parametrize(
    ("handler", "capability"),
    [
        (name, "elicitation.form"),
        (lambda input, ctx: ctx.elicit_url("Sign in", "https://a.example"), "elicitation.url"),
        (lambda input, ctx: ctx.sample("Hi", max_tokens=5), "sampling"),
        (lambda input, ctx: ctx.roots(), "roots"),
    ],
)
@pytest.mark.parametrize("callbacks", [None, ClientCallbacks()])
def test_a_missing_capability_is_named(
    handler: Callable[..., object], capability: str, callbacks: ClientCallbacks | None
) -> None:
    with pytest.raises(ToolError) as caught:
        ask(handler, callbacks)
    error = caught.value
    assert (error.category, error.code, error.retryable) == (
        "unavailable",
        "missing_capability",
        False,
    )
    assert error.details["capability"] == capability
    assert capability in error.message


def test_a_callback_that_fails_is_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: object) -> ElicitResult:
        raise ValueError("s3cret")

    assert ask(name, ClientCallbacks(elicit=fail)) == ["cancel", {}]
    assert "the callback `elicit` of the client failed" in caplog.text

    async def sample(input: object, ctx: Context) -> object:
        return (await ctx.sample("Hi", max_tokens=1)).text

    with pytest.raises(ToolError, match="did not answer") as caught:
        ask(sample, ClientCallbacks(sample=fail))  # type: ignore[arg-type]
    assert "s3cret" not in str(caught.value)


def test_model_roots_and_log() -> None:
    logged: list[LogMessage] = []

    async def answer(request: SampleRequest) -> SampleResult:
        assert request.messages == (
            {"role": "user", "content": {"type": "text", "text": "Capital of France?"}},
        )
        assert (request.max_tokens, request.stop_sequences) == (9, (".",))
        return SampleResult(content={"type": "text", "text": "Paris"}, model="m1")

    def roots(request: RootsRequest) -> list[Root]:
        return [Root(uri="file:///home/ann")]

    async def use(input: object, ctx: Context) -> object:
        ctx.client_log({"step": 1}, "debug")
        sample, folders = await asyncio.gather(
            ctx.sample("Capital of France?", max_tokens=9, stop_sequences=["."]), ctx.roots()
        )
        return [sample.text, sample.model, folders[0].uri]

    callbacks = ClientCallbacks(sample=answer, roots=roots, log=logged.append)
    assert ask(use, callbacks) == ["Paris", "m1", "file:///home/ann"]
    ((level, data, logger),) = [(each.level, each.data, each.logger) for each in logged]
    assert (level, data, logger) == ("debug", {"step": 1}, "demo_act")


def test_callbacks_of_a_registry_and_of_a_context_by_hand() -> None:
    callbacks = ClientCallbacks(elicit=lambda form: ElicitResult(action="decline"))
    registry = bound(tool(), name).with_controls(callbacks=callbacks)
    assert asyncio.run(registry.call("demo_act")) == ["decline", {}]
    ctx = Context(callbacks=callbacks)
    assert asyncio.run(ctx.elicit("Who?", NAME)).action == "decline"


def test_waiting_for_answers_counts_as_no_silence() -> None:
    async def wait(form: FormRequest) -> ElicitResult:
        await asyncio.sleep(1 if form.key == "short" else 5)
        return ElicitResult(action="cancel")

    async def both(input: object, ctx: Context) -> object:
        await asyncio.gather(*(ctx.elicit("?", NAME, key=key) for key in ("short", "long")))
        return True

    registry = bound(tool(), both).with_controls(limits=Limits(idle=2))
    call = registry.call("demo_act", callbacks=ClientCallbacks(elicit=wait))
    assert run(call) is True


FIELD_PROBLEMS: list[tuple[JsonValue, str]] = [
    ({"type": "object"}, "`type` is one of string, number, integer, boolean, array"),
    ({"type": "string", "pattern": "a"}, "`pattern` is not allowed for `string`"),
    ({"type": "string", "format": "ipv4"}, "`format` is one of email, uri, date, date-time"),
    ({"type": "string", "format": "password"}, "use `ctx.elicit_url`"),
    ({"type": "array", "items": {"type": "string"}}, "the items of an array are a choice"),
    (True, "a field is an object"),
]


@pytest.mark.parametrize(("field", "problem"), FIELD_PROBLEMS)
def test_a_form_is_flat_and_asks_for_no_secrets(field: JsonValue, problem: str) -> None:
    ctx = Context(callbacks=ClientCallbacks())
    schema: JsonObject = {"type": "object", "properties": {"a": field}}
    with pytest.raises(ValueError, match="invalid form") as caught:
        asyncio.run(ctx.elicit("?", schema))
    assert problem in str(caught.value)


def test_all_problems_of_a_form_are_reported_at_once() -> None:
    ctx = Context(callbacks=ClientCallbacks())
    schema: JsonObject = {
        "type": "object",
        "properties": {"api_key": {"type": "string"}, "age": {"type": "null"}},
        "required": ["name"],
        "additionalProperties": False,
    }
    with pytest.raises(ValueError, match="invalid form") as caught:
        asyncio.run(ctx.elicit("?", schema))
    for part in ("`additionalProperties`", "'name'", "`api_key`", "`age`"):
        assert part in str(caught.value)
    with pytest.raises(ValueError, match="`properties`"):
        asyncio.run(ctx.elicit("?", {"type": "string"}))


@pytest.mark.parametrize(
    ("ask_wrongly", "problem"),
    [
        (lambda ctx: ctx.elicit_url("Sign in", "javascript:alert(1)"), "no address of a page"),
        (lambda ctx: ctx.sample([{"role": "user", "content": "Hi"}], max_tokens=1), "message 0"),
        (lambda ctx: ctx.sample([{"role": "system"}], max_tokens=1), "message 0"),
    ],
)
def test_a_request_that_no_client_could_answer_is_a_mistake(
    ask_wrongly: Callable[[Context], Coroutine[object, object, object]], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        asyncio.run(ask_wrongly(Context(callbacks=ClientCallbacks())))


@pytest.mark.parametrize("asks", ["handler", "verify", "after"])
def test_a_client_that_answers_in_another_call_starts_no_handler_after_its_effect(
    asks: str, caplog: pytest.LogCaptureFixture
) -> None:
    def park(form: FormRequest) -> ElicitResult:
        raise ApprovalPending

    class Handlers:
        effects = 0

        async def act(self, input: object, ctx: Context) -> object:
            if asks == "handler":
                await ctx.elicit("?", NAME)
            self.effects += 1
            return True

        async def verify_act(self, input: object, output: object, ctx: Context) -> None:
            if asks == "verify":
                await ctx.elicit("?", NAME)

        async def follow(self, call: Call, result: object) -> None:
            if asks == "after":
                await call.context.elicit("?", NAME)

    handlers = Handlers()
    definition = service(tool(verify=True, after=("follow",)))
    registry = bind_service(definition, handlers, hooks=handlers)
    called = registry.call("demo_act", callbacks=ClientCallbacks(elicit=park))
    if asks == "handler":
        with pytest.raises(ApprovalPending):
            asyncio.run(called)
        assert handlers.effects == 0
        return
    if asks == "verify":
        with pytest.raises(ToolError, match="its check failed"):
            asyncio.run(called)
    else:
        assert asyncio.run(called) is True
    assert handlers.effects == 1
    assert "failed" in caplog.text
