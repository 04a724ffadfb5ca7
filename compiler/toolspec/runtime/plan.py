"""The plan of a tool: chooses the stages of its calls, once, from its definition and the controls."""

from __future__ import annotations

from toolspec.runtime.context import NO_CREDENTIALS, keep_arguments
from toolspec.runtime.controls.access import authenticating, scoped, signing_in
from toolspec.runtime.controls.limits import Limits
from toolspec.runtime.controls.policy import needs_decision
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import LoggedFailure
from toolspec.runtime.invocation import awaitable, invocable
from toolspec.runtime.pipeline import (
    Plan,
    noting_loop,
    noting_loop_of_stream,
    run,
    run_bare,
    through,
)
from toolspec.runtime.record import Record
from toolspec.runtime.service import member
from toolspec.runtime.validation import InputValidator, OutputValidator
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
    from typing import TypeVar

    from toolspec.runtime.call import After, Call, Completion, GlobalHooks, Stage
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.approval import ToolApproval
    from toolspec.runtime.controls.timeout import Timeout
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.memory import Memory
    from toolspec.runtime.pipeline import PlannedCall
    from toolspec.runtime.service import BoundService, Target
    from toolspec.shared.json_values import JsonValue

    T = TypeVar("T")


class RegistryContext(Record):
    """State shared by all tools of a registry."""

    hooks: GlobalHooks
    controls: Controls
    memory: Memory
    answers: set[tuple[object, ...]]
    """Remembered approvals."""


def plan_for(service: BoundService, tool: ToolDefinition, registry: RegistryContext) -> Plan:
    """Return the plan of a tool."""
    plan = Plan()
    plan.service = service
    plan.tool = tool
    plan.memory = registry.memory
    # With several instances, the arguments choose one.
    plan.instance = next(iter(service.targets), "") if len(service.targets) == 1 else ""
    target = service.targets.get(plan.instance)
    plan.settings = service.settings if target is None else target.settings
    plan.credentials = _shared_credentials(service, target)
    plan.input_validator = InputValidator(tool)
    output_check = service.output_check
    plan.output_validator = OutputValidator(tool, tool.output_schema, output_check, "the result")
    plan.chunk_validator = OutputValidator(
        tool, tool.chunk_schema or "true", output_check, "a chunk"
    )
    _add_stages(plan, registry)
    _choose_runners(plan, registry.controls)
    return plan


def _add_stages(plan: Plan, registry: RegistryContext) -> None:
    """Set the stages in the order of a call; those that a tool does not need are left out."""
    service, tool, controls, memory = plan.service, plan.tool, registry.controls, plan.memory
    hooks, all_tools = service.hooks, registry.hooks
    plan.approval = _approval(plan, registry)
    plan.callbacks = controls.callbacks
    needs_approval = needs_decision(tool, controls.policy)
    plan.admission = _present(
        authenticating(controls.authenticator),
        scoped(tool, controls.authenticator),
        _keep_arguments if needs_approval else None,
    )
    shared_limits = _shared_limits(tool, service.definition.name, controls)
    plan.clearance = _present(
        _idempotency(tool, controls, memory),
        *(plan.approval().stages() if needs_approval else ()),
        shared_limits,
    )
    plan.rate_limit = None
    if shared_limits is None:
        plan.rate_limit = memory.rate_limits(controls).of(tool, service.definition.name)
    plan.timeout = _timeout(tool, controls)
    plan.preparation = _present(
        signing_in(service), *all_tools.before, *_functions(hooks, tool.before)
    )
    plan.middleware = (*all_tools.middleware, *_functions(hooks, tool.middleware))
    plan.handler = _handler(service, tool, controls, memory)
    after = (*_functions(hooks, tool.after), *all_tools.after)
    plan.completion = _present(
        _journal(tool, controls, memory),
        _verification(service, tool),
        _replacement(after, plan.output_validator) if after else None,
    )
    plan.after_response = (
        *map(awaitable, _functions(hooks, tool.after_response)),
        *all_tools.after_response,
    )
    plan.on_error = all_tools.on_error


def _choose_runners(plan: Plan, controls: Controls) -> None:
    """Set the functions that run a call, with less work for a tool without stages."""
    tool, arguments, result = plan.tool, plan.input_validator, plan.output_validator
    stages = (plan.admission, plan.clearance, plan.preparation, plan.completion)
    hooks = (plan.middleware, plan.after_response, plan.on_error)
    is_staged = any(stages) or any(hooks) or tool.streaming or plan.timeout
    plan.run = run_bare if arguments.is_plain and not is_staged else run
    plan.iterate = _stream
    if plan.callbacks is not None and plan.callbacks.log is not None:
        plan.run, plan.iterate = noting_loop(plan.run), noting_loop_of_stream(plan.iterate)
    plan.work = through if plan.middleware else _handled
    if tool.streaming:
        from toolspec.runtime.streaming import whole_of

        plan.work = whole_of
    copies = controls.copies or not (arguments.is_pure and result.is_pure)
    plan.validate_arguments = arguments.accepted if copies else arguments.shared
    plan.validate_result = result.validated if copies else result.shared


def _handled(call: PlannedCall) -> Awaitable[object]:
    """Return the handler's awaitable result."""
    awaitable: Awaitable[object] = call.plan.handler(call.input, call.context)
    return awaitable


def _stream(plan: Plan, context: AnyContext) -> AsyncGenerator[JsonValue, None]:
    from toolspec.runtime.streaming import stream

    return stream(plan, context)


def _function(owner: object, name: str) -> AnyCallable:
    """Return a function that bind has checked. Raises LookupError if it is gone since."""
    function = member(owner, name)
    if function is None:
        problem = f"`{name}` existed when the service was bound, and is gone"
        raise LookupError(problem)
    return function


def _functions(owner: object, names: tuple[str, ...]) -> tuple[AnyCallable, ...]:
    return tuple(_function(owner, name) for name in names)


def _present(*stages: T | None) -> tuple[T, ...]:
    return tuple(stage for stage in stages if stage is not None)


def _handler(
    service: BoundService, tool: ToolDefinition, controls: Controls, memory: Memory
) -> AnyCallable:
    handler = invocable(_function(service.handlers, tool.method), 1)
    if tool.base64 == "bytes":
        from toolspec.runtime.bytes_codec import taking_bytes

        handler = taking_bytes(handler, tool)
    if tool.idempotency != "none":
        from toolspec.runtime.controls.idempotency import marking

        handler = marking(handler, is_streaming=tool.streaming)
    if tool.revert:
        from toolspec.runtime.controls.journal import journaling

        handler = journaling(handler, tool, memory.journal(controls))
    return handler


def _approval(plan: Plan, registry: RegistryContext) -> Callable[[], ToolApproval]:
    """Return a function that creates the tool's approval on first use: most tools never ask."""
    created: list[ToolApproval] = []

    def approval() -> ToolApproval:
        if not created:
            from toolspec.runtime.controls.approval import ToolApproval

            created.append(
                ToolApproval(
                    tool=plan.tool,
                    policy=registry.controls.policy,
                    approver=registry.controls.approver,
                    validate=plan.input_validator.checked,
                    answers=registry.answers,
                    approvals=registry.memory.approvals(registry.controls),
                    seconds=(registry.controls.limits or Limits()).approval,
                )
            )
        return created[0]

    return approval


async def _keep_arguments(call: Call) -> None:
    """Copy the arguments: the approved ones run, even if the caller changes its own meanwhile."""
    keep_arguments(call.context)


def _idempotency(tool: ToolDefinition, controls: Controls, memory: Memory) -> Stage | None:
    if tool.idempotency == "none":
        return None
    from toolspec.runtime.controls.idempotency import keying

    return keying(tool, memory.keys(controls))


def _shared_limits(tool: ToolDefinition, service: str, controls: Controls) -> Stage | None:
    """Return the stage of limits that a program has set and a store counts, if any."""
    store, limits = controls.store, controls.limits
    if limits is None or limits.per_process or store is None or store.limits is None:
        return None
    from toolspec.runtime.controls.store_counters import limiting

    return limiting(tool, service, limits, store.limits)


def _timeout(tool: ToolDefinition, controls: Controls) -> Timeout | None:
    limits = controls.limits or Limits()
    if (tool.timeout_idle, tool.timeout_total, limits.idle, limits.total) == (None,) * 4:
        return None
    from toolspec.runtime.controls.timeout import Timeout

    return Timeout.of(tool, limits)


def _journal(tool: ToolDefinition, controls: Controls, memory: Memory) -> Completion | None:
    if not tool.revert:
        return None
    from toolspec.runtime.controls.journal import finishing

    return finishing(memory.journal(controls))


def _verification(service: BoundService, tool: ToolDefinition) -> Completion | None:
    """Return the stage that runs a tool's `verify`, which returns why the result is wrong.

    False or a string means that the result is wrong. The stage then raises ToolError `verification`
    with the result as `details.output`. The message of a ToolError is kept, that of any other
    exception is logged.
    """
    if not tool.verify:
        return None
    verify = invocable(_function(service.handlers, f"verify_{tool.method}"), 2)
    if tool.base64 == "bytes":
        from toolspec.runtime.bytes_codec import comparing_bytes

        verify = comparing_bytes(verify, tool)

    async def verified(call: Call, result: JsonValue) -> JsonValue:
        message = f"`{tool.full_name}` ran, but its check failed"
        code, details = "verification", {}
        with LoggedFailure(call.context, "verify failed unexpectedly"):
            try:
                reason = await verify(call.input, copied(result), call.context)
                if reason is not False and not isinstance(reason, str):
                    return result
                message = f"{message}: {reason}" if reason else message
            except ToolError as problem:
                message, code, details = problem.message, problem.code, problem.details
        details = {**details, "output": result}
        raise ToolError.verification(message, code=code, details=details)

    return verified


def _replacement(hooks: Sequence[After], output_validator: OutputValidator) -> Completion:
    """Return the stage that runs `after` hooks, which may replace the result.

    Each hook gets a copy. A replacement is validated like the handler's result; if a hook fails,
    this is logged and the result kept.
    """

    async def replaced(call: Call, result: JsonValue) -> JsonValue:
        for hook in hooks:
            replacement = None
            with LoggedFailure(call.context, "an after hook failed; the result is kept"):
                replacement = await hook(call, copied(result))
            if replacement is not None:
                result = output_validator.validated(replacement, call.context)
        return result

    return replaced


def _shared_credentials(service: BoundService, target: Target | None) -> object:
    """Return the initial credentials of a context, or a mark that some are required."""
    if target is not None and target.credentials is not None:
        return target.credentials
    if service.credentials is not None and not callable(service.credentials):
        return service.credentials
    return None if service.definition.auth == "none" else NO_CREDENTIALS
