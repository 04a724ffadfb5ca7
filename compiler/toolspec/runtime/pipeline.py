"""What happens to a call of one tool, stage by stage.

accept (check, defaults) → credentials → before → middleware → handler → output check → verify →
after → output check → afterResponse; on_error for whatever fails. Authentication and scopes will
stand before `accept`; idempotency, permissions, approval and limits between it and `before`.
"""

from __future__ import annotations

from collections.abc import AsyncIterable

from toolspec.runtime.checks import SchemaCheck, summary
from toolspec.runtime.configuration import sign_in
from toolspec.runtime.context import NO_CREDENTIALS, Context, called_off
from toolspec.runtime.defaults import Defaults
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.failure import answer_to
from toolspec.runtime.hooks import Call, Failure, Outcome, respond, tell
from toolspec.runtime.invocation import invocable
from toolspec.runtime.output import Promise, broken_promise, reduced
from toolspec.runtime.service import member
from toolspec.runtime.values import NotJsonError, copied
from toolspec.runtime.verification import verified

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncGenerator, Mapping
    from typing import NoReturn

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.context import ProgressListener
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext, GlobalHooks, Status
    from toolspec.runtime.service import BoundService
    from toolspec.runtime.values import JsonValue


class Pipeline:
    """The stages that one tool has, found out once; what it does not use costs a call nothing."""

    __slots__ = (
        "_after",
        "_after_response",
        "_arguments",
        "_before",
        "_chunk",
        "_credentials",
        "_defaults",
        "_handler",
        "_middleware",
        "_on_error",
        "_pending",
        "_provider",
        "_result",
        "_service",
        "_verify",
        "tool",
    )

    def __init__(
        self,
        service: BoundService,
        tool: ToolDefinition,
        everywhere: GlobalHooks,
        pending: set[asyncio.Task[None]],
    ) -> None:
        self._service = service
        self.tool = tool
        self._pending = pending
        mode, hooks = service.output_check, service.hooks
        self._provider = service.credentials if callable(service.credentials) else None
        self._credentials = _shared_credentials(service)
        self._arguments = SchemaCheck(tool.arguments_schema)
        self._defaults = Defaults.of(tool.arguments_schema)
        self._result = Promise(tool, tool.output_schema, mode, "the result")
        self._chunk = Promise(tool, tool.chunk_schema or "true", mode, "a chunk")
        self._handler = invocable(_found(service.handlers, tool.method), 1)
        verify = f"verify_{tool.method}"
        self._verify = invocable(_found(service.handlers, verify), 2) if tool.verify else None
        self._before = (*everywhere.before, *_each(hooks, tool.before))
        self._middleware = (*everywhere.middleware, *_each(hooks, tool.middleware))
        self._after = (*_each(hooks, tool.after), *everywhere.after)
        self._after_response = (*_each(hooks, tool.after_response), *everywhere.after_response)
        self._on_error = everywhere.on_error

    def context(
        self,
        caller: str | None,
        transport: Mapping[str, JsonValue] | None,
        request_id: str,
        on_progress: ProgressListener | None,
    ) -> AnyContext:
        """Return the context of a new call."""
        return Context(
            tool=self.tool.full_name,
            service=self._service.definition.name,
            settings=self._service.settings,
            credentials=self._credentials,
            request_id=request_id,
            caller=caller,
            transport=transport,
            on_progress=on_progress,
            logger=self._service.logger,
        )

    async def run(self, context: AnyContext, arguments: object) -> JsonValue:
        """Return the tool's result, checked and shared with nobody.

        Raises ToolError for every failure; cancellation and KeyboardInterrupt pass.
        """
        call = Call(self.tool, context)
        try:
            await self._prepare(call, arguments)
            if self.tool.streaming:
                chunks = [chunk async for chunk in self._chunks(call)]
                made: object = reduced(self.tool, chunks)
            elif self._middleware:
                made = await self._through(call)
            else:
                made = await self._handler(call.input, context)
            result = self._result.kept(made, context)
            result = await self._finish(call, result)
        except BaseException as problem:  # noqa: BLE001 - a handler's SystemExit must not end the server
            await self._fail(call, problem)
        self._respond(call, "ok", result)
        return result

    async def stream(
        self, context: AnyContext, arguments: object
    ) -> AsyncGenerator[JsonValue, None]:
        """Yield the tool's chunks, each checked; a tool that does not stream yields its result.

        The handler runs no further than the chunk that was asked for. Closing this iterator closes
        the handler's; afterResponse hooks then see the call as cancelled. `after` hooks see the
        whole, but what was sent cannot be replaced.
        """
        if not self.tool.streaming:
            yield await self.run(context, arguments)
            return
        from contextlib import aclosing

        call = Call(self.tool, context)
        sent: list[JsonValue] | None = [] if self._verify is not None or self._after else None
        try:
            await self._prepare(call, arguments)
            async with aclosing(self._chunks(call)) as chunks:
                async for chunk in chunks:
                    _remember(chunk, sent)
                    yield chunk
            if sent is not None:
                await self._finish(call, reduced(self.tool, sent))
        except GeneratorExit:
            self._respond(call, "cancelled")
            raise
        except BaseException as problem:  # noqa: BLE001 - a handler's SystemExit must not end the server
            await self._fail(call, problem)
        self._respond(call, "ok")

    async def _prepare(self, call: Call, arguments: object) -> None:
        call.input = self._accepted(call, arguments)
        if self._provider is not None:
            await sign_in(self._provider, self._service.definition, call.context)
        for hook in self._before:
            await hook(call)

    def _accepted(self, call: Call, arguments: object) -> JsonValue:
        """Return what the handler receives: a copy, checked as it was sent, then with defaults."""
        try:
            value = copied({} if arguments is None else arguments)
        except NotJsonError as problem:
            error = FieldError(path=problem.path, code="json", message=problem.reason)
            raise self._refusal((error,)) from None
        if not self._arguments.accepts(value):
            raise self._refusal(self._arguments.errors(value))
        if self._defaults is not None:
            self._defaults.fill(value)
        if not isinstance(value, dict):
            return value
        if self.tool.idempotency != "none":
            key = value.pop("idempotency_key", None)
            call.context.idempotency_key = key if isinstance(key, str) else None
        return value["input"] if self.tool.input_form == "text" else value

    def _refusal(self, errors: tuple[FieldError, ...]) -> ToolError:
        message = f"wrong arguments for `{self.tool.full_name}`: {summary(errors)}"
        return ToolError.validation(message, field_errors=errors)

    async def _through(self, call: Call, depth: int = 0) -> object:
        """Return what the middleware from `depth` inwards makes of the handler's answer."""
        if depth < len(self._middleware):

            async def following() -> object:
                return await self._through(call, depth + 1)

            return await self._middleware[depth](call, following)
        if self.tool.streaming:
            call.source = self._handler(call.input, call.context)
            return call.source
        return await self._handler(call.input, call.context)

    async def _chunks(self, call: Call) -> AsyncGenerator[JsonValue, None]:
        source = await self._through(call)
        try:
            async for item in _iterable(source, self.tool):
                yield self._chunk.kept(item, call.context)
        except GeneratorExit:
            called_off(call.context)
            raise
        finally:
            await _close(source)
            if call.source is not source:
                await _close(call.source)  # middleware may leave the handler's own open

    async def _finish(self, call: Call, result: JsonValue) -> JsonValue:
        """Return the result after verify and `after` hooks; each hook gets a copy of its own."""
        if self._verify is not None:
            await verified(self._verify, call, result)
        for hook in self._after:
            try:
                replacement = await hook(call, copied(result))
            except Exception:
                call.context.log.exception("an after hook failed; the result is kept")
                continue
            if replacement is not None:
                result = self._result.kept(replacement, call.context)
        return result

    async def _fail(self, call: Call, problem: BaseException) -> NoReturn:
        import asyncio

        if isinstance(problem, (KeyboardInterrupt, GeneratorExit)):
            raise problem
        if isinstance(problem, asyncio.CancelledError):
            called_off(call.context)
            self._respond(call, "cancelled")
            raise problem
        error = answer_to(problem, self.tool, call.context)
        cause = problem.__cause__ if isinstance(problem, ToolError) else problem
        failure = Failure(name=self.tool.full_name, error=error, cause=cause, call=call)
        await tell(self._on_error, failure, call.context)
        self._respond(call, "failed", error=error)
        raise error from cause

    def _respond(
        self,
        call: Call,
        status: Status,
        result: JsonValue = None,
        error: ToolError | None = None,
    ) -> None:
        """Start afterResponse hooks beside the answer: nothing that they do can change it."""
        if not self._after_response:
            return
        import asyncio

        outcome = Outcome(status=status, result=copied(result), error=error)
        task = asyncio.create_task(respond(self._after_response, call, outcome))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)


def _found(owner: object, name: str) -> AnyCallable:
    """Return a function that bind has seen; complains (LookupError) if it has gone since."""
    function = member(owner, name)
    if function is None:
        problem = f"`{name}` was there when the service was bound, and is gone"
        raise LookupError(problem)
    return function


def _remember(chunk: JsonValue, sent: list[JsonValue] | None) -> None:
    if sent is not None:
        sent.append(copied(chunk))


def _each(owner: object, names: tuple[str, ...]) -> tuple[AnyCallable, ...]:
    return tuple(_found(owner, name) for name in names)


def _shared_credentials(service: BoundService) -> object:
    """Return what a context starts with: everybody's credentials, or a mark that some are needed."""
    if service.credentials is not None and not callable(service.credentials):
        return service.credentials
    return None if service.definition.auth == "none" else NO_CREDENTIALS


def _iterable(source: object, tool: ToolDefinition) -> AsyncIterable[object]:
    if isinstance(source, AsyncIterable):
        return source
    problem = f"{type(source).__name__} is no async iterator"
    field = FieldError(path="$", code="stream", message=problem)
    raise broken_promise(tool, "the stream", (field,))


async def _close(source: object) -> None:
    close = getattr(source, "aclose", None)
    if close is not None:
        await close()
