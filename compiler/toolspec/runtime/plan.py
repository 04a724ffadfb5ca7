"""The plan of a tool: the stages of its calls, determined once at the first call."""

from __future__ import annotations

from toolspec.runtime.configuration import signing_in
from toolspec.runtime.context import NO_CREDENTIALS
from toolspec.runtime.controls.access import authenticating, scoped
from toolspec.runtime.controls.limits import Limits
from toolspec.runtime.controls.permissions import approving, keeping, permitting
from toolspec.runtime.input_validator import InputValidator
from toolspec.runtime.invocation import invocable
from toolspec.runtime.open_context import opened
from toolspec.runtime.output_validator import OutputValidator
from toolspec.runtime.pipeline import run, run_bare
from toolspec.runtime.record import Record
from toolspec.runtime.service import member
from toolspec.runtime.verification import adjusting, verifying

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine
    from typing import Any, TypeVar

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.context import CallOptions
    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.rate_limit import RateLimit
    from toolspec.runtime.controls.timeout import Timeout
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext, Completion, GlobalHooks, Stage
    from toolspec.runtime.memory import Memory
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


class Plan:
    """The stages and functions of one tool; features that it does not use cost nothing.

    `admission` are the stages before validation of arguments, `clearance` those that may deny the
    call, `preparation` those after the limits, `completion` those between the handler's result and
    the caller, each in order.
    """

    __slots__ = (
        "_run",
        "admission",
        "after_response",
        "answers",
        "chunk",
        "clearance",
        "completion",
        "controls",
        "credentials",
        "deadline",
        "gate",
        "give",
        "handler",
        "input_validator",
        "instance",
        "memory",
        "middleware",
        "on_error",
        "preparation",
        "result",
        "service",
        "settings",
        "take",
        "tool",
    )

    service: BoundService
    tool: ToolDefinition
    controls: Controls
    memory: Memory
    instance: str
    """The service's only instance; empty if it has none or several."""
    settings: Confidential | None
    credentials: object
    """Initial credentials of a context: the shared ones, or a mark that some are required."""
    admission: tuple[Stage, ...]
    clearance: tuple[Stage, ...]
    take: Callable[[object], object]
    """Accepts the arguments of a call in `run_bare`, as `give` does the result."""
    give: Callable[[object, AnyContext], JsonValue]
    gate: RateLimit | None
    preparation: tuple[Stage, ...]
    completion: tuple[Completion, ...]

    def __init__(
        self, service: BoundService, tool: ToolDefinition, around: RegistryContext
    ) -> None:
        self.service = service
        self.tool = tool
        self.controls = around.controls
        self.memory = around.memory
        self.answers = around.answers
        # With several instances, the arguments choose one.
        self.instance = next(iter(service.targets), "") if len(service.targets) == 1 else ""
        only = service.targets.get(self.instance)
        self.settings = service.settings if only is None else only.settings
        self.credentials = _shared_credentials(service, only)
        self.input_validator = InputValidator(tool)
        self.result = OutputValidator(tool, tool.output_schema, service.output_check, "the result")
        self.chunk = OutputValidator(
            tool, tool.chunk_schema or "true", service.output_check, "a chunk"
        )
        self.handler = _handler(service, tool, around)
        self.deadline = _deadline(tool, around.controls)
        hooks, everywhere = service.hooks, around.hooks
        self.middleware = (*everywhere.middleware, *_each(hooks, tool.middleware))
        self.after_response = (*_each(hooks, tool.after_response), *everywhere.after_response)
        self.on_error = everywhere.on_error
        before = (*everywhere.before, *_each(hooks, tool.before))
        after = (*_each(hooks, tool.after), *everywhere.after)
        # The order of a call: admission, acceptance, clearance, limits, preparation, middleware,
        # handler, completion. A stage that a tool does not need is None and left out.
        policy, authenticator = self.controls.policy, self.controls.authenticator
        self.admission = _those(
            (authenticating(authenticator), scoped(tool, authenticator), keeping(tool, policy))
        )
        self.clearance = _those(
            (_keys(tool, around), permitting(tool, policy), approving(tool, policy))
        )
        self.gate = self.memory.gates(self.controls).of(tool, service.definition.name)
        self.preparation = _those((signing_in(service), *before))
        self.completion = _those(
            (
                _journal(tool, around),
                _verification(service, tool),
                adjusting(after, self.result),
            )
        )
        self._run = run_bare if self._is_bare() else run
        copies = self.controls.copies or not (self.input_validator.is_pure and self.result.is_pure)
        self.take = self.input_validator.checked if copies else self.input_validator.shared
        self.give = self.result.kept if copies else self.result.shared

    def _is_bare(self) -> bool:
        """Return whether only validation and limits surround the handler."""
        stages = (self.admission, self.clearance, self.preparation, self.completion)
        hooks = (self.middleware, self.after_response, self.on_error)
        around = any(stages) or any(hooks) or self.tool.streaming or self.deadline
        return self.input_validator.is_plain and not around

    def call(self, arguments: object, options: CallOptions) -> Coroutine[Any, Any, JsonValue]:
        """Return the coroutine of a new call."""
        return self._run(self, opened(self, options, arguments))

    def stream(self, arguments: object, options: CallOptions) -> AsyncGenerator[JsonValue, None]:
        """Return the iterator of a new call."""
        from toolspec.runtime.streaming import stream

        return stream(self, opened(self, options, arguments))


def found(owner: object, name: str) -> AnyCallable:
    """Return a function that bind has checked. Raises LookupError if it is gone since."""
    function = member(owner, name)
    if function is None:
        problem = f"`{name}` was there when the service was bound, and is gone"
        raise LookupError(problem)
    return function


def _handler(service: BoundService, tool: ToolDefinition, around: RegistryContext) -> AnyCallable:
    handler = invocable(found(service.handlers, tool.method), 1)
    if tool.base64 == "bytes":
        from toolspec.runtime.bytes_codec import taking_bytes

        handler = taking_bytes(handler, tool)
    if tool.idempotency != "none":
        from toolspec.runtime.controls.idempotency import marking

        handler = marking(handler)
    if tool.revert:
        from toolspec.runtime.controls.journal_stage import journaling

        handler = journaling(handler, tool, around.memory.journal(around.controls))
    return handler


def _keys(tool: ToolDefinition, around: RegistryContext) -> Stage | None:
    if tool.idempotency == "none":
        return None
    from toolspec.runtime.controls.idempotency import keying

    return keying(tool, around.memory.keys(around.controls))


def _journal(tool: ToolDefinition, around: RegistryContext) -> Completion | None:
    if not tool.revert:
        return None
    from toolspec.runtime.controls.journal_stage import finishing

    return finishing(around.memory.journal(around.controls))


def _deadline(tool: ToolDefinition, controls: Controls) -> Timeout | None:
    limits = controls.limits or Limits()
    if (tool.timeout_idle, tool.timeout_total, limits.idle, limits.total) == (None,) * 4:
        return None
    from toolspec.runtime.controls.timeout import Timeout

    return Timeout.of(tool, limits)


def _each(owner: object, names: tuple[str, ...]) -> tuple[AnyCallable, ...]:
    return tuple(found(owner, name) for name in names)


def _those(stages: tuple[T | None, ...]) -> tuple[T, ...]:
    return tuple(stage for stage in stages if stage is not None)


def _verification(service: BoundService, tool: ToolDefinition) -> Completion | None:
    if not tool.verify:
        return None
    verify = invocable(found(service.handlers, f"verify_{tool.method}"), 2)
    if tool.base64 == "bytes":
        from toolspec.runtime.bytes_codec import comparing_bytes

        verify = comparing_bytes(verify, tool)
    return verifying(verify)


def _shared_credentials(service: BoundService, only: Target | None) -> object:
    """Return the initial credentials of a context, or a mark that some are required."""
    if only is not None and only.credentials is not None:
        return only.credentials
    if service.credentials is not None and not callable(service.credentials):
        return service.credentials
    return None if service.definition.auth == "none" else NO_CREDENTIALS
