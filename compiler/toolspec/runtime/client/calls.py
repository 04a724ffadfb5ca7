"""Calls of a client over a transport, with its policy, retries, and a log of open-world tools."""

from __future__ import annotations

import os
from collections import Counter

from toolspec.runtime.awaiting import awaited, closed
from toolspec.runtime.call_options import APPROVAL_SECONDS, Question
from toolspec.runtime.client.retries import Retries
from toolspec.runtime.client.transport import LOST
from toolspec.runtime.controls.approval import SILENCE, answer_of, choices_for, digest
from toolspec.runtime.controls.limits import is_time
from toolspec.runtime.controls.policy import check_policy, decided_permissions, decision_on_call
from toolspec.runtime.definition import ToolDefinition, service_of
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.names import exact_name
from toolspec.runtime.progress import check_listener
from toolspec.runtime.record import Record
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
    from typing import Any, TypeAlias, TypedDict, TypeVar

    from toolspec.runtime.bytes_codec import BytesConversion
    from toolspec.runtime.call_options import Approval, Approver, Choice, Permission
    from toolspec.runtime.client.transport import CallEnvelope, Transport
    from toolspec.runtime.controls.policy import Decision, Policy
    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.runtime.progress import ProgressListener
    from toolspec.shared.json_values import JsonObject, JsonValue

    T = TypeVar("T")

    class ClientOptions(TypedDict, total=False):
        """Options for the calls of a client.

        `policy` and `approver` work as in a registry: without a rule, tools that read run, tools
        that write need approval, and without an approver they are refused, as they are if it does
        not answer within `approval` seconds. `on_progress` is a plain
        function that receives progress reports. `log` defaults to the logger `toolspec`; calls of
        open-world tools are logged to its child `open_world`.
        """

        approver: Approver | None
        approval: float
        policy: Policy | None
        retries: Retries
        on_progress: ProgressListener | None
        log: logging.Logger | None

    Listener: TypeAlias = Callable[[Any], object]
    """Callback of a stream for a chunk, the whole result, or a ToolError. May be async."""


_HINT = "configure an approver of the client, or a policy rule for this tool"
_HIGHEST_UNASKED = 1


class ClientApproval:
    """Asks for approval on behalf of one client; remembered answers last as long as the client."""

    __slots__ = ("_log", "_policy", "_remembered", "_seconds", "approver")

    def __init__(self, config: ClientConfig, log: Callable[[], logging.Logger]) -> None:
        check_policy(config.policy)
        if not is_time(config.approval):
            problem = f"`approval` is {config.approval!r}: it must be a number of seconds above 0"
            raise ValueError(problem)
        self._policy = config.policy
        self._seconds = config.approval
        self.approver = config.approver
        self._log = log
        self._remembered: set[tuple[str, object]] = set()

    async def obtain(self, call: ClientCall, checked: Callable[[], JsonValue]) -> bool:
        """Return whether the call is sent with an approval, given by an approver or a rule.

        `checked` returns the arguments shown to the approver; it raises for invalid ones before
        the approver is asked. Raises ToolError `permission`: `forbidden` by a rule, `approval_required`
        without an approver, `refused` if the approver declines or does not answer.
        """
        covered = self._to_be_asked(call)
        if covered is None:
            return call.tool.risk > _HIGHEST_UNASKED or bool(call.tool.permissions)
        if call.subject in self._remembered:
            return True
        shown = checked()
        if self.approver is None:
            message = "needs approval, and no approver is configured"
            raise _denial(call, message, "approval_required", _HINT)
        choice = await self._choice(self.approver, call, shown, covered)
        if choice is None or choice == SILENCE:
            reason = "declined" if choice is None else f"did not answer within {self._seconds:g} s"
            hint = "ask the person in charge before calling again"
            raise _denial(call, f"needs approval, and the approver {reason}", "refused", hint)
        return True

    def _to_be_asked(self, call: ClientCall) -> tuple[Permission, ...] | None:
        """Return the permissions that an approval would cover; None if none is needed.

        One question covers the call and all permissions that need approval.
        Raises ToolError `permission` if a rule forbids the call or a permission.
        """
        policy, tool = self._policy, call.tool
        whole = decision_on_call(policy, tool)
        if whole.mode == "off":
            raise _turned_off(call, "is", whole)
        decided = decided_permissions(tool, policy)
        for one, decision in decided:
            if decision is not None and decision.mode == "off":
                raise _turned_off(call, f"needs `{one.kind}:{one.resource}`, which is", decision)
        asked = tuple(
            one for one, decision in decided if decision is None or decision.mode == "ask"
        )
        return None if whole.mode == "auto" and not asked else asked

    async def answer(self, question: Question) -> Choice | bool:
        """Return the approver's choice about a question of the server; False after too long."""
        assert self.approver is not None
        choice = await answer_of(self.approver, question, self._log(), self._seconds)
        return False if choice is None or choice == SILENCE else choice

    async def _choice(
        self,
        approver: Approver,
        call: ClientCall,
        shown: JsonValue,
        covered: tuple[Permission, ...],
    ) -> str | None:
        """Return the approver's choice as `answer_of` does, and remember it."""
        tool = call.tool
        question = Question(
            tool=tool,
            arguments=shown,
            digest=digest(tool.full_name, call.arguments),
            request_id=call.request_id,
            choices=choices_for(tool),
            permissions=covered,
        )
        choice = await answer_of(approver, question, self._log(), self._seconds)
        if choice in ("session", "always"):
            self._remembered.add(call.subject)
        return choice


def _turned_off(call: ClientCall, what: str, decision: Decision) -> ToolError:
    message = f"{what} turned off by the policy of this client"
    return _denial(call, message, "forbidden", f"change the rule in `{decision.source}`")


def _denial(call: ClientCall, message: str, code: str, hint: str) -> ToolError:
    details = {"tool": call.tool.full_name, "risk": call.tool.risk, "hint": hint}
    error = ToolError.permission(f"`{call.name}` {message}", code=code, details=details)
    return error.sent(call.request_id, retryable=False)


def client_tools(service: ServiceDefinition) -> dict[str, ToolDefinition]:
    """Return the tools by method, with a version only where several share a name.

    So a client goes on when the server has another version of the only one.
    """
    tools = {tool.method: tool for tool in service.tools}
    versioned = [tool for tool in service.tools if tool.version]
    names = Counter(tool.full_name for tool in service.tools) if versioned else {}
    for tool in versioned:
        if names[tool.full_name] == 1:
            tools[tool.method] = ToolDefinition(**{**vars(tool), "version": ""})
    return tools


class ClientCall:
    """One call with a copy of the arguments and an idempotency key, shared by all retries.

    `name` is the tool's name, with its version if there are several. Raises ToolError `validation`
    for arguments that are not JSON.
    """

    __slots__ = ("arguments", "is_approved", "name", "request_id", "tool")

    def __init__(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object],
        key: str | None,
        instance: str = "",
    ) -> None:
        self.tool = tool
        self.name = exact_name(tool)
        self.request_id = os.urandom(8).hex()
        self.arguments = self._sendable(arguments)
        self.is_approved = False
        if instance:
            self.arguments["instance"] = instance
        if tool.idempotency != "none" and "idempotency_key" not in self.arguments:
            self.arguments["idempotency_key"] = os.urandom(16).hex() if key is None else key

    @property
    def is_repeatable(self) -> bool:
        """Whether calling twice has the same effect as calling once."""
        tool = self.tool
        return tool.read_only or tool.idempotent or tool.idempotency != "none"

    @property
    def subject(self) -> tuple[str, object]:
        """The key of a remembered approval: the tool, and the instance if there are several."""
        return self.name, self.arguments.get("instance") if self.tool.instances else None

    def sent(self) -> JsonObject:
        """Return a copy of the arguments for one attempt: in-process handlers may change theirs."""
        return self._sendable(self.arguments)

    def of_unknown_effect(self, error: ToolError) -> ToolError:
        """Return the error of a call that was lost once: it may have had its effect.

        `details` have the idempotency key, under which the same call may be repeated.
        """
        if self.tool.read_only or self.tool.idempotent:
            return error
        sent = error.sent(self.request_id, retryable=False)
        sent.details = {**error.details, "effect": "unknown"}
        if "idempotency_key" in self.arguments:
            sent.details["idempotency_key"] = self.arguments["idempotency_key"]
        return sent

    def approval(self) -> Approval | None:
        """Return a new approval for each attempt, since an approval can be used once."""
        if not self.is_approved:
            return None
        from toolspec.runtime.controls.approval import approve

        return approve(self.name, self.arguments, mode=self.tool.mode)

    def _sendable(self, arguments: Mapping[str, object]) -> JsonObject:
        try:
            value = copied(arguments)
        except NotJsonError as problem:
            field = FieldError(path=problem.path, code="json", message=problem.reason)
        else:
            if isinstance(value, dict):
                return value
            field = FieldError(path="$", code="type", message="the arguments are not an object")
        message = f"invalid arguments for `{self.name}`: {field.path}: {field.message}"
        error = ToolError.validation(message, field_errors=(field,))
        raise error.sent(self.request_id, retryable=False) from None


class ClientConfig(Record):
    """Options of a client with their defaults."""

    approver: Approver | None = None
    approval: float = APPROVAL_SECONDS
    policy: Policy | None = None
    retries: Retries = Retries()
    on_progress: ProgressListener | None = None
    log: logging.Logger | None = None


class Calls:
    """Calls of one client over one transport."""

    __slots__ = ("_approval", "_config", "_conversions", "_transport")

    def __init__(self, transport: Transport, config: ClientConfig) -> None:
        check_listener(config.on_progress)
        self._transport = transport
        self._config = config
        self._conversions: dict[ToolDefinition, BytesConversion] = {}
        self._approval = ClientApproval(config, self._log)

    async def call(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> object:
        """Return the tool's complete result. Raises ToolError for every failure."""
        conversion = self._conversion(tool)
        if conversion is not None:
            arguments = conversion.input_to_json(arguments)
        call = await self._agreed(tool, arguments, key, instance)
        with OpenWorld(call, self._log):
            result = await self._repeated(
                call,
                lambda carried: self._transport.call(call.name, call.sent(), **carried),
            )
        return result if conversion is None else conversion.output_to_python(result)

    async def stream(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> AsyncGenerator[object, None]:
        """Yield the chunks of the result. The call is retried only before the first chunk."""
        conversion = self._conversion(tool)
        chunks = self._chunks(tool, arguments, key, instance)
        try:
            async for chunk in chunks:
                yield chunk if conversion is None else conversion.chunk_to_python(chunk)
        finally:
            await chunks.aclose()

    async def _chunks(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None,
        instance: str,
    ) -> AsyncGenerator[object, None]:
        """Yield chunks as they arrive from the transport."""
        conversion = self._conversion(tool)
        if conversion is not None:
            arguments = conversion.input_to_json(arguments)
        call = await self._agreed(tool, arguments, key, instance)
        with OpenWorld(call, self._log):
            first, rest = await self._repeated(call, lambda carried: self._opened(call, carried))
            try:
                for chunk in first:
                    yield chunk
                async for chunk in rest:
                    yield chunk
            finally:
                await closed(rest)

    async def deliver(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None,
        listeners: tuple[Listener | None, ...],
        instance: str = "",
    ) -> None:
        """Call the listeners for each chunk, for the whole result, or for an error.

        Raises ToolError if there is no error listener. An exception raised by a listener ends the
        stream and propagates.
        """
        from toolspec.runtime.chunks import reduced

        on_chunk, on_complete, on_error = listeners
        conversion = self._conversion(tool)
        chunks: list[Any] = []
        source = self._chunks(tool, arguments, key, instance)
        try:
            try:
                async for chunk in source:
                    chunks.append(chunk)
                    converted = chunk if conversion is None else conversion.chunk_to_python(chunk)
                    await _notify(on_chunk, converted)
            finally:
                await source.aclose()
            whole: object = reduced(tool, chunks) if on_complete is not None else None
            if conversion is not None and on_complete is not None:
                whole = conversion.output_to_python(whole)
        except ToolError as error:
            if on_error is None:
                raise
            await _notify(on_error, error)
        else:
            await _notify(on_complete, whole)

    def _conversion(self, tool: ToolDefinition) -> BytesConversion | None:
        """Return the conversion between base64 and bytes; None for a tool that takes strings."""
        if tool.base64 == "str":
            return None
        if tool not in self._conversions:
            from toolspec.runtime.bytes_codec import conversion_of

            self._conversions[tool] = conversion_of(tool)
        return self._conversions[tool]

    async def _agreed(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None,
        instance: str,
    ) -> ClientCall:
        tool = await self._in_mode(tool)
        call = ClientCall(tool, {} if arguments is None else arguments, key, instance)
        call.is_approved = await self._approval.obtain(call, lambda: self._checked(call))
        return call

    async def _in_mode(self, tool: ToolDefinition) -> ToolDefinition:
        """Return the tool in the mode of its registry or server, with its risk tier there.

        The mode of a remote server counts only if the service declares it.
        """
        find, served = (getattr(self._transport, name, None) for name in ("definition", "served"))
        name = exact_name(tool)
        bound: ToolDefinition | None = None
        try:
            if find is not None:
                bound = find(name)
            elif served is not None and _declared_modes(tool):
                bound = await served(name)
        except ToolError:  # the call itself raises it
            return tool
        if bound is None or bound.mode == tool.mode:
            return tool
        is_known = find is not None or bound.mode in _declared_modes(tool)
        return tool.in_mode(bound.mode) if is_known else tool

    def _checked(self, call: ClientCall) -> JsonValue:
        """Return validated arguments with defaults if the transport knows the tool's schema."""
        check = getattr(self._transport, "checked", None)
        if check is None:
            return copied(call.arguments)
        try:
            shown: JsonValue = check(call.name, call.arguments)
        except ToolError as error:
            raise error.sent(call.request_id, retryable=False) from None
        return shown

    async def _repeated(
        self, call: ClientCall, attempt: Callable[[CallEnvelope], Awaitable[T]]
    ) -> T:
        retries, repeated, is_lost = self._config.retries, 0, False
        while True:
            try:
                return await attempt(self._carried(call))
            except ToolError as error:
                is_lost = is_lost or error.code == LOST
                pause = retries.pause(error, repeated) if call.is_repeatable else None
                if pause is None:
                    if is_lost and (error.code == LOST or error.retryable):
                        raise call.of_unknown_effect(error) from error.__cause__
                    raise
                code = error.code
            repeated += 1
            text = "`%s` %s: %s; call %d of %d follows in %.2f s"
            counted = repeated + 1, retries.times + 1, pause
            self._log().warning(text, call.name, call.request_id, code, *counted)
            await retries.wait(pause)

    async def _opened(
        self, call: ClientCall, carried: CallEnvelope
    ) -> tuple[list[object], AsyncIterator[object]]:
        """Return a list with the first chunk, if any, and an iterator of the rest."""
        chunks = self._transport.stream(call.name, call.arguments, **carried)
        try:
            return [await anext(chunks)], chunks
        except StopAsyncIteration:
            return [], chunks
        except BaseException:
            await closed(chunks)
            raise

    def _carried(self, call: ClientCall) -> CallEnvelope:
        return {
            "request_id": call.request_id,
            "on_progress": self._config.on_progress,
            "approval": call.approval(),
            "approver": self._approval.answer if self._approval.approver else None,
        }

    def _log(self) -> logging.Logger:
        if self._config.log is not None:
            return self._config.log
        import logging

        return logging.getLogger("toolspec")


class OpenWorld:
    """Logs the outcome of a call to an open-world tool, without any of its values.

    A record has the attributes `tool`, `request_id`, `digest` (of the arguments) and `outcome`.
    """

    __slots__ = ("_call", "_log")

    def __init__(self, call: ClientCall, log: Callable[[], logging.Logger]) -> None:
        self._call = call
        self._log = log

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: object, _: object) -> None:
        if not self._call.tool.open_world:
            return
        outcome = "ok" if kind is None else "cancelled"
        if isinstance(error, ToolError):
            outcome = error.code
        elif kind is not None and issubclass(kind, Exception):
            outcome = kind.__name__
        self._write(outcome)

    def _write(self, outcome: str) -> None:
        from toolspec.runtime.controls.approval import digest
        from toolspec.shared.json_values import one_line

        call, name = self._call, self._call.tool.full_name
        fields = {
            "tool": call.name,
            "request_id": call.request_id,
            "digest": digest(name, call.arguments),
            "outcome": one_line(outcome),
        }
        log = self._log().getChild("open_world")
        log.info("%(tool)s %(request_id)s %(digest)s %(outcome)s", fields, extra=fields)


def _declared_modes(tool: ToolDefinition) -> tuple[str, ...]:
    """Return the modes that the tool's service declares."""
    service = service_of(tool)
    return () if service is None else service.modes


async def _notify(listener: Listener | None, event: object) -> None:
    if listener is not None:
        await awaited(listener(event))
