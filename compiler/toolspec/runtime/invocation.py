"""Invocation of user functions, with or without `ctx`, in the event loop or a worker thread."""

from __future__ import annotations

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.callables import context_place, kind_of, parameters_of

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.hooks import AnyContext


def invocable(function: AnyCallable, before: int) -> AnyCallable:
    """Return a function of `before` arguments and a context, to be awaited or iterated.

    A plain function runs in a worker thread, since it may block. If it returns an awaitable
    (`return other(input)`), that is awaited in the event loop.
    """
    with_context = _with_context(function, before)
    if kind_of(function) == "plain":
        return _threaded(with_context)
    return with_context


def _with_context(function: AnyCallable, before: int) -> AnyCallable:
    match context_place(parameters_of(function), before):
        case "positional":
            return function
        case "keyword":
            return lambda *given: function(*given[:-1], ctx=given[-1])
        case _:
            return lambda *given: function(*given[:-1])


def _threaded(function: AnyCallable) -> AnyCallable:
    async def called(*given: object) -> object:
        import asyncio

        from toolspec.runtime.threads import in_thread

        context: AnyContext = given[-1]  # type: ignore[assignment]  # always the last argument
        context._loop = asyncio.get_running_loop()  # noqa: SLF001 - for progress from the thread
        ended = in_thread(_without_stop, function, given)
        try:
            answer = await asyncio.shield(ended)
        except asyncio.CancelledError:
            context._left = (*context._left, ended)  # noqa: SLF001 - it still counts as running
            raise
        context._loop = None  # noqa: SLF001 - progress no longer crosses threads
        return await awaited(answer)

    return called


def _without_stop(function: AnyCallable, given: tuple[object, ...]) -> object:
    try:
        return function(*given)
    except StopIteration as stop:
        # A future cannot hold a StopIteration: awaiting it would never end.
        problem = "the handler let a StopIteration out"
        raise RuntimeError(problem) from stop
    finally:
        context: AnyContext = given[-1]  # type: ignore[assignment]  # always the last argument
        if context._is_cancelled:  # noqa: SLF001 - internal field of the runtime
            context.log.warning("its thread has ended after the call was over")
