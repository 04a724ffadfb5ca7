"""The pipeline of a call: runs the stages of the tool's plan in order.

authenticate → scopes → validate arguments and fill in defaults → idempotency key → permissions →
approval → limits → credentials → before → middleware → handler → validate output → journal →
verify → after (a replaced output is validated again) → response → afterResponse.
on_error runs exactly once for every failure.
"""

from __future__ import annotations

from toolspec.runtime.call import (
    Answered,
    Call,
    Failure,
    Outcome,
    run_after_response,
    run_on_error,
)
from toolspec.runtime.cancellation import cancellable
from toolspec.runtime.context import fill_in, mark_cancelled, opened
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import is_passing, pending_in, run_all
from toolspec.runtime.validation import RejectedArguments
from toolspec.runtime.values import copied
from toolspec.shared.error_categories import CATEGORIES

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
    from typing import Any, NoReturn, TypeAlias

    from toolspec.runtime.call import Completion, Leave, Middleware, OnError, Stage
    from toolspec.runtime.call_options import CallOptions, Permission
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.callbacks import Callbacks
    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.controls.approval import ToolApproval
    from toolspec.runtime.controls.limits import RateLimit
    from toolspec.runtime.controls.timeout import Timeout
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.memory import Memory
    from toolspec.runtime.service import BoundService
    from toolspec.runtime.validation import InputValidator, OutputValidator
    from toolspec.shared.json_values import JsonValue

    Run: TypeAlias = Callable[["Plan", AnyContext], Coroutine[Any, Any, JsonValue]]
    Iterate: TypeAlias = Callable[["Plan", AnyContext], AsyncGenerator[JsonValue, None]]

_MAX_REPORTED = 1_000
"""Maximum undeclared codes that one registry logs."""


class Plan:
    """The stages and functions of one tool's calls; only those of the features that it uses.

    `admission` are the stages before validation of arguments, `clearance` those that may deny the
    call, `preparation` those after the limits, `completion` those between the handler's result and
    the caller, each in order.
    """

    __slots__ = (
        "admission",
        "after_response",
        "approval",
        "callbacks",
        "chunk_validator",
        "clearance",
        "completion",
        "credentials",
        "handler",
        "input_validator",
        "instance",
        "iterate",
        "memory",
        "middleware",
        "on_error",
        "output_validator",
        "preparation",
        "rate_limit",
        "run",
        "service",
        "settings",
        "timeout",
        "tool",
        "validate_arguments",
        "validate_result",
        "work",
    )

    service: BoundService
    tool: ToolDefinition
    memory: Memory
    instance: str
    """The service's only instance; empty if it has none or several."""
    settings: Confidential | None
    credentials: object
    """Initial credentials of a context: the shared ones, or `NO_CREDENTIALS` if some are required."""
    admission: tuple[Stage, ...]
    clearance: tuple[Stage, ...]
    rate_limit: RateLimit | None
    timeout: Timeout | None
    preparation: tuple[Stage, ...]
    middleware: tuple[Middleware, ...]
    handler: AnyCallable
    completion: tuple[Completion, ...]
    after_response: tuple[Leave, ...]
    on_error: tuple[OnError, ...]
    input_validator: InputValidator
    output_validator: OutputValidator
    chunk_validator: OutputValidator
    approval: Callable[[], ToolApproval]
    callbacks: Callbacks | None
    """Answers to what a handler asks, of calls without callbacks."""
    run: Run
    """Runs a call and returns its complete result: `run` or `run_bare`."""
    iterate: Iterate
    """Runs a call and yields its chunks."""
    work: Callable[[PlannedCall], Awaitable[object]]
    """Runs middleware and handler, and returns the result of both."""
    validate_arguments: Callable[[object], object]
    """Accepts the arguments of a call in `run_bare`, as `validate_result` does the result."""
    validate_result: Callable[[object, AnyContext], JsonValue]

    def call(self, arguments: object, options: CallOptions) -> Coroutine[Any, Any, JsonValue]:
        """Return the coroutine of a new call.

        Raises TypeError for unknown options and async listeners.
        """
        context = opened(self, arguments)
        if options:
            fill_in(context, options)
            if _has_receivers(options):
                return noting_loop(self.run)(self, context)
        return self.run(self, context)

    def stream(self, arguments: object, options: CallOptions) -> AsyncGenerator[JsonValue, None]:
        """Return the iterator of a new call. Raises TypeError like `call`."""
        context = opened(self, arguments)
        fill_in(context, options)
        if _has_receivers(options):
            return noting_loop_of_stream(self.iterate)(self, context)
        return self.iterate(self, context)

    def adopt(self, task: asyncio.Task[None]) -> None:
        """Keep a task that outlives its call."""
        self.memory.adopt(task)

    async def request_permission(
        self, context: AnyContext, permission: Permission, reason: str
    ) -> None:
        """Return if the call has the permission. Raises ToolError `permission`."""
        await self.approval().request(context, permission, reason)


def _has_receivers(options: CallOptions) -> bool:
    """Return whether a call has listeners of its own, to which a thread may report."""
    return options.get("on_progress") is not None or options.get("callbacks") is not None


def noting_loop(run: Run) -> Run:
    """Return `run` for calls with listeners: it notes the event loop, where these are called.

    Other calls never need it, and finding it takes time.
    """

    async def ran(plan: Plan, context: AnyContext) -> JsonValue:
        import asyncio

        context._loop = asyncio.get_running_loop()  # noqa: SLF001 - internal field of the runtime
        return await run(plan, context)

    return ran


def noting_loop_of_stream(iterate: Iterate) -> Iterate:
    """Return `iterate` for calls with listeners, like `noting_loop`."""

    async def iterated(plan: Plan, context: AnyContext) -> AsyncGenerator[JsonValue, None]:
        import asyncio
        from contextlib import aclosing

        context._loop = asyncio.get_running_loop()  # noqa: SLF001 - internal field of the runtime
        async with aclosing(iterate(plan, context)) as chunks:
            async for chunk in chunks:
                yield chunk

    return iterated


class PlannedCall(Call):
    """A call with the state of its pipeline.

    `source` is the iterator of a streaming handler, `whole` the reduced result of the chunks if a
    stage needs it, `rate_limit` counts the call once it is admitted.
    """

    __slots__ = ("rate_limit", "source", "whole")

    plan: Plan

    def __init__(self, plan: Plan, context: AnyContext) -> None:
        # Without `super().__init__`, which costs a tenth of a call.
        self.plan = plan
        self.context = context
        self.input = None
        self.leaving = ()
        self.source: object = None
        self.whole: JsonValue = None
        self.rate_limit: RateLimit | None = None


async def run(plan: Plan, context: AnyContext) -> JsonValue:
    """Return the tool's complete result, validated and not shared with any other code.

    Raises ToolError for every failure; cancellation, pending approvals and KeyboardInterrupt
    propagate.
    """
    call = PlannedCall(plan, context)
    try:
        await enter(call)
        work = _result_of(call)
        timeout = plan.timeout
        result = await (
            cancellable(work, context) if timeout is None else timeout.run(context, work)
        )
    except Answered as answered:
        result = answered.result
    except BaseException as problem:  # noqa: BLE001 - a handler's SystemExit must not end the server
        await fail(call, problem)
    finally:
        context._listener = None  # noqa: SLF001 - internal field of the runtime
        if call.rate_limit is not None:
            call.rate_limit.leave_after(context)
    if call.leaving or plan.after_response:
        await end(call, Outcome(status="ok", result=result))
    return result


async def run_bare(plan: Plan, context: AnyContext) -> JsonValue:
    """Return the result of `run` for a tool with no stages but validation and limits."""
    rate_limit = None
    try:
        try:
            arguments = plan.validate_arguments(context._arguments)  # noqa: SLF001 - internal field of the runtime
        except RejectedArguments as rejected:
            raise await _explained(rejected) from None
        if plan.rate_limit is not None:
            plan.rate_limit.enter(context)
            rate_limit = plan.rate_limit
        work = cancellable(plan.handler(arguments, context), context)
        return plan.validate_result(await work, context)
    except BaseException as problem:  # noqa: BLE001 - a handler's SystemExit must not end the server
        await fail(PlannedCall(plan, context), problem)  # no hook reads its input
    finally:
        context._listener = None  # noqa: SLF001 - internal field of the runtime
        if rate_limit is not None:
            rate_limit.leave_after(context)


async def _result_of(call: PlannedCall) -> JsonValue:
    """Return the validated result of middleware and handler, after all completion stages."""
    plan = call.plan
    await prepare(call)
    result = plan.output_validator.validated(await plan.work(call), call.context)
    for stage in plan.completion:
        result = await stage(call, result)
    return result


async def enter(call: PlannedCall) -> None:
    """Run the stages that come before the timeouts start."""
    plan = call.plan
    for stage in plan.admission:
        await stage(call)
    try:
        call.input = plan.input_validator.input(call.context)
    except RejectedArguments as rejected:
        raise await _explained(rejected) from None
    for stage in plan.clearance:
        await stage(call)
    if plan.rate_limit is not None:
        plan.rate_limit.enter(call.context)
        call.rate_limit = plan.rate_limit
    call.context._claimed_approval = None  # noqa: SLF001 - internal field of the runtime; it stays used


async def _explained(rejected: RejectedArguments) -> ToolError:
    """Return the error for rejected arguments; long explanations leave the event loop to others."""
    error = rejected.quick_error()
    if error is not None:
        return error
    from toolspec.runtime.invocation import in_thread

    explained: ToolError = await in_thread(rejected.error)  # type: ignore[assignment]  # its result
    return explained


async def prepare(call: PlannedCall) -> None:
    """Run the stages before middleware and handler that count towards the timeouts."""
    for stage in call.plan.preparation:
        await stage(call)


async def through(call: PlannedCall, depth: int = 0) -> object:
    """Return the result of the handler through the middleware from `depth` inwards."""
    plan = call.plan
    if depth < len(plan.middleware):

        async def call_next() -> object:
            return await through(call, depth + 1)

        return await plan.middleware[depth](call, call_next)
    if plan.tool.streaming:
        call.source = plan.handler(call.input, call.context)
        return call.source
    return await plan.handler(call.input, call.context)


async def fail(call: PlannedCall, problem: BaseException) -> NoReturn:
    """End a failed call: run on_error hooks, and raise the error for the caller."""
    plan, context = call.plan, call.context
    pending = pending_in(problem)
    if pending is not None:
        context._begun = False  # noqa: SLF001 - it starts again with the answer
        await leave(call, Outcome(status="cancelled"))
        raise pending
    if is_passing(problem):
        if not isinstance(problem, GeneratorExit):  # a coroutine being closed cannot await
            mark_cancelled(context)
            await end(call, Outcome(status="cancelled"))
        raise problem
    if isinstance(problem, ToolError):
        _report_undeclared_code(problem, plan.tool, context, plan.memory.undeclared_codes)
    error = _error_for_caller(problem, plan.tool, context)
    cause = problem.__cause__ if isinstance(problem, ToolError) else problem
    failure = Failure(name=plan.tool.full_name, error=error, cause=cause, call=call)
    try:
        await run_on_error(plan.on_error, failure, context)
    finally:
        await end(call, Outcome(status="failed", error=error))
    raise error from cause


async def end(call: PlannedCall, outcome: Outcome) -> None:
    """Run the stages' cleanup, then schedule afterResponse hooks without waiting for them."""
    try:
        await leave(call, outcome)
    finally:
        respond(call, outcome)


async def leave(call: PlannedCall, outcome: Outcome) -> None:
    """Run the cleanup of all stages, despite failures or cancellation of any."""
    message = "the outcome of the call could not be stored"
    await run_all(call.leaving[::-1], (call, outcome), call.context, message)


def respond(call: PlannedCall, outcome: Outcome) -> None:
    """Schedule afterResponse hooks for when the response is written; they cannot change it."""
    hooks = call.plan.after_response
    if not hooks:
        return
    import asyncio

    copy = Outcome(status=outcome.status, result=copied(outcome.result), error=outcome.error)
    responded = call.context._responded  # noqa: SLF001 - internal field of the runtime

    async def run_hooks() -> None:
        if responded is not None and outcome.status != "cancelled":  # which has no response
            await responded.wait()
        await run_after_response(hooks, call, copy)

    call.plan.adopt(asyncio.create_task(run_hooks()))


def _error_for_caller(
    problem: BaseException, tool: ToolDefinition, context: AnyContext
) -> ToolError:
    """Return the error to raise for an exception, with the request id.

    Exceptions other than ToolError are logged with their traceback and become `unavailable` if a
    connection failed or timed out, else `internal`: without their text, which may contain paths,
    queries, or secrets.
    """
    if isinstance(problem, ToolError):
        return problem.sent(context.request_id, _is_retryable(problem, tool))
    context.log.error("failed unexpectedly", exc_info=problem)
    reason = "the service's log has the reason under this request id"
    if not isinstance(problem, (ConnectionError, TimeoutError)):
        message = f"`{tool.full_name}` failed; {reason}"
        return ToolError.internal(message).sent(context.request_id, retryable=False)
    details = {} if tool.read_only else {"effect": "unknown"}
    message = f"`{tool.full_name}` could not reach a system that it needs; {reason}"
    error = ToolError.unavailable(message, details=details)
    return error.sent(context.request_id, _is_retryable(error, tool))


def _is_retryable(error: ToolError, tool: ToolDefinition) -> bool:
    if error.category == "output":
        return False
    if error.retryable_stated:
        return error.retryable
    for code, _, retryable in tool.errors:
        if code == error.code:
            return retryable
    is_repeatable = tool.read_only or tool.idempotent
    if error.category == "timeout":
        # Whether the effect happened is unknown, so a retry is safe only for repeatable tools.
        # An idempotency key does not help: a retry with the same key is rejected (decision 0009).
        return is_repeatable
    if error.details.get("effect") == "unknown" and tool.idempotency != "none":
        return is_repeatable  # a retry with the same key is rejected here too
    return error.retryable


_RUNTIME_CODES = frozenset({*CATEGORIES, "not_implemented"})


def _report_undeclared_code(
    error: ToolError, tool: ToolDefinition, context: AnyContext, reported: set[tuple[str, str]]
) -> None:
    """Log an error code that user code raised and the tool does not declare, once per tool.

    Codes that are categories, and those of the runtime, need no declaration.
    """
    key = (tool.full_name, error.code)
    if error.code in _RUNTIME_CODES or key in reported or len(reported) >= _MAX_REPORTED:
        return
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    raised_in = trace.tb_frame.f_globals.get("__name__", "") if trace is not None else "toolspec"
    is_runtime = raised_in.partition(".")[0] == "toolspec"
    if is_runtime or any(code == error.code for code, _, _ in tool.errors):
        return
    reported.add(key)
    context.log.warning("raised the error code `%s`, which its `errors` does not list", error.code)
