"""The pipeline of a call; the tool's plan contains the stages that apply.

authenticate → scopes → validate arguments and fill in defaults → idempotency key → permissions →
approval → limits → credentials → before → middleware → handler → validate output → journal →
verify → after (a replaced output is validated again) → response → afterResponse.
on_error runs exactly once for every failure.
"""

from __future__ import annotations

from toolspec.runtime.context import called_off
from toolspec.runtime.controls.approval import pending_in
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import answer_to, is_passing, report_unlisted, run_all
from toolspec.runtime.hooks import Answered, Call, Failure, Outcome, respond, tell
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import NoReturn

    from toolspec.runtime.hooks import AnyContext
    from toolspec.runtime.plan import Plan
    from toolspec.shared.json_values import JsonValue


async def run(plan: Plan, context: AnyContext) -> JsonValue:
    """Return the tool's complete result, validated and not shared with any other code.

    Raises ToolError for every failure; cancellation, pending approvals and KeyboardInterrupt
    propagate.
    """
    call = Call(plan, context)
    try:
        await enter(call)
        work = worked(call)
        result = await (work if plan.deadline is None else plan.deadline.held(context, work))
    except Answered as known:
        result = known.result
    except BaseException as problem:  # noqa: BLE001 - a handler's SystemExit must not end the server
        await fail(call, problem)
    finally:
        context._listener = None  # noqa: SLF001 - internal field of the runtime
        if call.gate is not None:
            call.gate.leave_after(context)
    if call.leaving or plan.after_response:
        await end(call, Outcome(status="ok", result=result))
    return result


async def run_bare(plan: Plan, context: AnyContext) -> JsonValue:
    """Return the result of `run` for a tool with no stages but validation and limits."""
    gate = None
    try:
        received = plan.take(context._arguments)  # noqa: SLF001 - internal field of the runtime
        if plan.gate is not None:
            plan.gate.enter(context)
            gate = plan.gate
        return plan.give(await plan.handler(received, context), context)
    except BaseException as problem:  # noqa: BLE001 - a handler's SystemExit must not end the server
        await fail(Call(plan, context), problem)  # no hook reads its input
    finally:
        context._listener = None  # noqa: SLF001 - internal field of the runtime
        if gate is not None:
            gate.leave_after(context)


async def worked(call: Call) -> JsonValue:
    """Return the validated result of middleware and handler, after all completion stages."""
    plan = call.plan
    await prepare(call)
    if plan.tool.streaming:
        from toolspec.runtime.streaming import whole_of

        made: object = await whole_of(call)
    elif plan.middleware:
        made = await through(call)
    else:
        made = await plan.handler(call.input, call.context)
    result = plan.result.kept(made, call.context)
    for stage in plan.completion:
        result = await stage(call, result)
    return result


async def enter(call: Call) -> None:
    """Run the stages that come before the timeouts start."""
    plan = call.plan
    for stage in plan.admission:
        await stage(call)
    call.input = plan.input_validator.input(call.context)
    for stage in plan.clearance:
        await stage(call)
    if plan.gate is not None:
        plan.gate.enter(call.context)
        call.gate = plan.gate


async def prepare(call: Call) -> None:
    """Run the stages before middleware and handler that count towards the timeouts."""
    for stage in call.plan.preparation:
        await stage(call)


async def through(call: Call, depth: int = 0) -> object:
    """Return the result of the handler through the middleware from `depth` inwards."""
    plan = call.plan
    if depth < len(plan.middleware):

        async def following() -> object:
            return await through(call, depth + 1)

        return await plan.middleware[depth](call, following)
    if plan.tool.streaming:
        call.source = plan.handler(call.input, call.context)
        return call.source
    return await plan.handler(call.input, call.context)


async def fail(call: Call, problem: BaseException) -> NoReturn:
    """End a failed call: run on_error hooks, and raise the error for the caller."""
    pending = pending_in(problem)
    if pending is not None:
        call.context._begun = False  # noqa: SLF001 - it will start again with the answer
        await leave(call, Outcome(status="cancelled"))
        raise pending
    if is_passing(problem):
        if not isinstance(problem, GeneratorExit):  # a coroutine being closed cannot await
            called_off(call.context)
            await end(call, Outcome(status="cancelled"))
        raise problem
    if isinstance(problem, ToolError):
        report_unlisted(problem, call.tool, call.context, call.plan.memory.unlisted)
    error = answer_to(problem, call.tool, call.context)
    cause = problem.__cause__ if isinstance(problem, ToolError) else problem
    failure = Failure(name=call.tool.full_name, error=error, cause=cause, call=call)
    try:
        await tell(call.plan.on_error, failure, call.context)
    finally:
        await end(call, Outcome(status="failed", error=error))
    raise error from cause


async def end(call: Call, outcome: Outcome) -> None:
    """Run the stages' cleanup, then start afterResponse hooks without waiting for them."""
    try:
        await leave(call, outcome)
    finally:
        answer(call, outcome)


async def leave(call: Call, outcome: Outcome) -> None:
    """Run the cleanup of all stages, despite failures or cancellation of any."""
    complaint = "the end of the call could not be written down"
    await run_all(call.leaving[::-1], (call, outcome), call.context, complaint)


def answer(call: Call, outcome: Outcome) -> None:
    """Start afterResponse hooks, which cannot change the response."""
    hooks = call.plan.after_response
    if not hooks:
        return
    import asyncio

    theirs = Outcome(status=outcome.status, result=copied(outcome.result), error=outcome.error)
    pending = call.plan.memory.pending
    task = asyncio.create_task(respond(hooks, call, theirs))
    pending.add(task)
    task.add_done_callback(pending.discard)
