"""The pipeline of a streaming call: produces chunks as the consumer requests them."""

from __future__ import annotations

from asyncio import CancelledError, sleep
from collections.abc import AsyncIterable
from contextlib import aclosing, suppress

from toolspec.runtime.awaiting import closed
from toolspec.runtime.call import Answered, Outcome
from toolspec.runtime.cancellation import cancellable
from toolspec.runtime.chunks import as_chunks, reduced
from toolspec.runtime.context import mark_cancelled, unmark_cancelled
from toolspec.runtime.errors import FieldError
from toolspec.runtime.failure import is_cancelling, is_passing
from toolspec.runtime.pipeline import (
    PlannedCall,
    end,
    enter,
    fail,
    leave,
    prepare,
    respond,
    run,
    through,
)
from toolspec.runtime.validation import invalid_output
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.pipeline import Plan
    from toolspec.shared.json_values import JsonValue

_TURN = 64
"""Chunks between yields to the event loop."""


async def stream(plan: Plan, context: AnyContext) -> AsyncGenerator[JsonValue, None]:
    """Yield the tool's validated chunks; a tool that does not stream yields its result.

    The handler runs only as chunks are requested. Closing this iterator closes the handler's;
    afterResponse hooks then see the call as cancelled. `after` hooks receive the complete result,
    but cannot replace chunks already sent. afterResponse hooks receive it if the call has an
    `on_result`, which does too.
    """
    if not plan.tool.streaming:
        yield await run(plan, context)
        return
    call = PlannedCall(plan, context)
    try:
        async with aclosing(await entered(call)) as chunks:
            with suppress(StopAsyncIteration):
                while True:
                    yield await cancellable(anext(chunks), context)
    except BaseException as problem:
        if isinstance(problem, GeneratorExit) and is_passing(problem):
            await end(call, Outcome(status="cancelled"))
            raise
        await fail(call, problem)
    finally:
        context._listener = None  # noqa: SLF001 - internal field of the runtime
        if call.rate_limit is not None:
            call.rate_limit.leave_after(context)
    on_result = context._on_result  # noqa: SLF001 - internal field of the runtime
    if on_result is not None:
        on_result(call.whole)
    try:
        await leave(call, Outcome(status="ok", result=call.whole))
    finally:
        respond(call, Outcome(status="ok", result=None if on_result is None else call.whole))


async def entered(call: PlannedCall) -> AsyncGenerator[JsonValue, None]:
    """Return the iterator of the chunks, also for a result that a stage already knows."""
    try:
        await enter(call)
    except Answered as answered:
        call.whole = answered.result
        return _each(as_chunks(call.plan.tool, answered.result))
    work, timeout = worked_chunks(call), call.plan.timeout
    return work if timeout is None else timeout.run_stream(call.context, work)


async def _each(chunks: list[JsonValue]) -> AsyncGenerator[JsonValue, None]:
    for chunk in chunks:
        yield chunk


async def worked_chunks(call: PlannedCall) -> AsyncGenerator[JsonValue, None]:
    """Yield the chunks, then run the completion stages on the complete result, if any.

    Since these rely on the schema, the reduced result is validated as well as each chunk.
    """
    plan, context = call.plan, call.context
    is_reduced = bool(plan.completion) or context.idempotency_key is not None
    is_reduced = is_reduced or context._on_result is not None  # noqa: SLF001 - internal field of the runtime
    sent: list[JsonValue] = []
    await prepare(call)
    async with aclosing(chunks_of(call)) as chunks:
        async for chunk in chunks:
            if is_reduced:
                if plan.tool.reduction == "last":
                    sent.clear()
                sent.append(copied(chunk))
            yield chunk
    if is_reduced:
        call.whole = plan.output_validator.validated(reduced(plan.tool, sent), context)
        for stage in plan.completion:
            call.whole = await stage(call, call.whole)


async def whole_of(call: PlannedCall) -> JsonValue:
    """Return the reduced result of the chunks.

    Yields to the event loop regularly: a handler that never awaits would block other calls and its
    own timeouts.
    """
    chunks: list[JsonValue] = []
    async with aclosing(chunks_of(call)) as source:
        async for chunk in source:
            chunks.append(chunk)
            if len(chunks) % _TURN == 0:
                await sleep(0)
    return reduced(call.plan.tool, chunks)


async def chunks_of(call: PlannedCall) -> AsyncGenerator[JsonValue, None]:
    """Yield the handler's validated chunks, and close its iterator."""
    plan, context = call.plan, call.context
    source = await through(call)
    try:
        async for item in _iterable(source, plan.tool):
            if context._is_cancelled:  # noqa: SLF001 - internal field of the runtime
                if is_cancelling():
                    raise CancelledError  # the handler ignores its cancellation
                unmark_cancelled(context)  # it was a time limit of the handler's own
            if context._watch is not None:  # noqa: SLF001 - internal field of the runtime
                context._watch.touch()  # noqa: SLF001 - the same
            yield plan.chunk_validator.validated(item, context)
    except GeneratorExit as problem:
        if is_passing(problem):
            mark_cancelled(context)
        raise
    finally:
        await closed(source)
        if call.source is not source:
            await closed(call.source)  # middleware may have left it open


def _iterable(source: object, tool: ToolDefinition) -> AsyncIterable[object]:
    if isinstance(source, AsyncIterable):
        return source
    problem = f"{type(source).__name__} is not an async iterator"
    field = FieldError(path="$", code="stream", message=problem)
    raise invalid_output(tool, "the stream", (field,))
