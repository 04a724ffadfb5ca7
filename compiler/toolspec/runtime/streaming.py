"""A call whose result is delivered as chunks, no faster than they are taken."""

from __future__ import annotations

from collections.abc import AsyncIterable

from toolspec.runtime.context import called_off
from toolspec.runtime.errors import FieldError
from toolspec.runtime.hooks import Answered, Call, Outcome
from toolspec.runtime.output import broken_promise, pieces, reduced
from toolspec.runtime.pipeline import answer, complete, end, enter, fail, leave, run, through
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext
    from toolspec.runtime.plan import Plan
    from toolspec.runtime.values import JsonValue


async def stream(
    plan: Plan, context: AnyContext, arguments: object
) -> AsyncGenerator[JsonValue, None]:
    """Yield the tool's chunks, each checked; a tool that does not stream yields its result.

    The handler runs no further than the chunk that was asked for. Closing this iterator closes
    the handler's; afterResponse hooks then see the call as cancelled. `after` hooks see the
    whole, but what was sent cannot be replaced.
    """
    if not plan.tool.streaming:
        yield await run(plan, context, arguments)
        return
    from contextlib import aclosing

    call = Call(plan, context)
    sent: list[JsonValue] = []
    whole: JsonValue = None
    try:
        try:
            await enter(call, arguments)
            async with aclosing(chunks_of(call)) as chunks:
                async for chunk in chunks:
                    if plan.completion:
                        sent.append(copied(chunk))
                    yield chunk
            if plan.completion:
                whole = await complete(call, reduced(plan.tool, sent))
        except Answered as known:
            whole = known.result
            for chunk in pieces(plan.tool, whole):
                yield chunk
    except GeneratorExit:
        await end(call, Outcome(status="cancelled"))
        raise
    except BaseException as problem:  # noqa: BLE001 - a handler's SystemExit must not end the server
        await fail(call, problem)
    try:
        await leave(call, Outcome(status="ok", result=whole))
    finally:
        answer(call, Outcome(status="ok"))


async def chunks_of(call: Call) -> AsyncGenerator[JsonValue, None]:
    """Yield what the handler does, each chunk checked, and close the handler's iterator."""
    plan = call.plan
    source = await through(call)
    try:
        async for item in _iterable(source, plan.tool):
            yield plan.chunk.kept(item, call.context)
    except GeneratorExit:
        called_off(call.context)
        raise
    finally:
        await _close(source)
        if call.source is not source:
            await _close(call.source)  # middleware may leave the handler's own open


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
