"""Asking for approval of a call, and of the permissions that it needs."""

from __future__ import annotations

import time
from contextlib import nullcontext

from toolspec.runtime.call_options import (
    APPROVAL_SECONDS,
    NO_APPROVER_HINT,
    Approval,
    Permission,
    Question,
)
from toolspec.runtime.controls.policy import (
    Decision,
    decided_permissions,
    decision_on_call,
    decision_on_permission,
)
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.failure import ApprovalPending, is_passing
from toolspec.runtime.invocation import awaitable
from toolspec.runtime.record import Record
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Mapping
    from typing import Any, Final, Literal, TypeAlias

    from toolspec.runtime.call import Call, Outcome, Stage
    from toolspec.runtime.call_options import Approver, Choice
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.controls.policy import Policy
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.log import CallLog
    from toolspec.runtime.stores import SpentApprovals
    from toolspec.shared.json_values import JsonValue

    _Key: TypeAlias = tuple[object, ...]

_CHOICES: tuple[Choice, ...] = ("once", "session", "always")
_LOWEST_RISK_OF_SINGLE_APPROVALS = 3
"""Lowest risk tier that requires approval of each single call."""


class ToolApproval(Record):
    """Asks for approval of one tool's calls.

    `approver` is that of the registry; an approver passed with a call has precedence. `validate`
    returns the arguments to show. `answers` are the remembered approvals, `approvals` the used ones
    that were passed with a call. `seconds` is the time that an approver has to answer.
    """

    tool: ToolDefinition
    policy: Policy | None
    approver: Approver | None
    validate: Callable[[object], JsonValue]
    answers: set[_Key]
    approvals: SpentApprovals
    seconds: float

    def stages(self) -> tuple[Stage, ...]:
        """Return the stages that ask for permissions, then for the call.

        Permissions are asked for in order, and the first denial raises ToolError `permission`. A
        question about the call lists the permissions without a rule, which its approval covers. An
        approval passed with the call covers everything. A tool that the policy turns off asks no
        question.
        """
        decision = decision_on_call(self.policy, self.tool)
        permissions = decided_permissions(self.tool, self.policy)
        is_covering = decision.mode == "ask"
        separate = [
            (permission, ruled or Decision(mode="ask", source=""))
            for permission, ruled in permissions
            if (ruled.mode != "auto" if ruled else not is_covering)
        ]
        covered = tuple(permission for permission, ruled in permissions if ruled is None)
        stages = []
        if separate and decision.mode != "off":
            stages.append(self._asking_for_permissions(separate))
        if decision.mode != "auto":
            stages.append(self._asking_for_call(decision, covered))
        return tuple(stages)

    def _asking_for_permissions(self, permissions: list[tuple[Permission, Decision]]) -> Stage:
        async def ask_for_permissions(call: Call) -> None:
            for permission, decision in permissions:
                if decision.mode == "off":
                    raise self._forbidden(decision, permission)
                if not await self._is_approved_in_advance(call):
                    await self._ask(call.context, permission=permission)

        return ask_for_permissions

    def _asking_for_call(self, decision: Decision, covered: tuple[Permission, ...]) -> Stage:
        async def ask_for_call(call: Call) -> None:
            if decision.mode == "off":
                raise self._forbidden(decision)
            if not await self._is_approved_in_advance(call):
                await self._ask(call.context, covered)

        return ask_for_call

    async def request(self, context: AnyContext, permission: Permission, reason: str) -> None:
        """Return if a running call has a permission. Raises ToolError `permission` if not.

        Permissions that the tool declares were decided before it ran; any other is asked for
        separately unless a rule decides.
        """
        if _subject(permission) in self.tool.permissions:
            return
        decision = decision_on_permission(self.policy, self.tool, permission)
        if decision is None or decision.mode == "ask":
            with context._watch or nullcontext():  # noqa: SLF001 - internal field of the runtime
                await self._ask(context, permission=permission, reason=reason)
        elif decision.mode == "off":
            raise self._forbidden(decision, permission)

    async def _ask(
        self,
        context: AnyContext,
        covered: tuple[Permission, ...] = (),
        permission: Permission | None = None,
        reason: str = "",
    ) -> None:
        """Return once the call, or one permission of it, is approved.

        `covered` are the permissions that an approval of the call covers. Remembered answers count.
        Raises ToolError `permission`: `approval_required` without an approver, `refused` if it
        declines, fails, or does not answer in time. A pending approval propagates.
        """
        subject = _subject(permission)
        granted = context._granted  # noqa: SLF001 - internal field of the runtime
        key_for_all, key_for_session = (
            self._key_for_all(context, subject),
            self._key_for_session(context, subject),
        )
        if subject in granted or not self.answers.isdisjoint((key_for_all, key_for_session)):
            return
        approver = context._approver or self.approver  # noqa: SLF001 - the same
        if approver is None:
            approval, problem = context._approval, context._approval_problem  # noqa: SLF001 - the same
            detail = f": {problem}" if approval is not None and problem else ""
            message = f"{self._need(permission)}, and no approver is configured{detail}"
            raise self._denial(message, "approval_required", NO_APPROVER_HINT, permission, context)
        arguments: Any = context._arguments  # noqa: SLF001 - the same
        question = Question(
            tool=self.tool,
            arguments=self.validate(arguments),
            digest=digest(self.tool.full_name, arguments),
            caller=context.caller,
            request_id=context.request_id,
            choices=choices_for(self.tool),
            permissions=covered if permission is None else (permission,),
            reason=reason,
        )
        choice = await answer_of(approver, question, context.log, self.seconds)
        if choice is None or choice == SILENCE:
            reason = "declined" if choice is None else f"did not answer within {self.seconds:g} s"
            message = f"{self._need(permission)}, and the approver {reason}"
            hint = "ask the person in charge before calling again"
            raise self._denial(message, "refused", hint, permission)
        granted.add(subject)
        if choice == "always":
            self.answers.add(key_for_all)
        elif choice == "session":
            self.answers.add(key_for_session)

    def _key_for_all(self, context: AnyContext, subject: _Key) -> _Key:
        """Return the key of an approval for all callers."""
        return (self.tool.full_name, self.tool.version, context.instance, *subject)

    def _key_for_session(self, context: AnyContext, subject: _Key) -> _Key:
        """Return the key of an approval for one caller, and one session if there are sessions."""
        session = (context.transport or {}).get("session")
        return (*self._key_for_all(context, subject), "session", context.caller, str(session))

    async def _is_approved_in_advance(self, call: Call) -> bool:
        """Return whether a matching approval was passed with the call, and mark it as used.

        A call that is refused before it is admitted, as by a limit, lets it be used again.
        """
        context = call.context
        if context._approval_problem is None:  # noqa: SLF001 - internal field of the runtime
            context._approval_problem = await self._problem_of(call)  # noqa: SLF001 - the same
        return not context._approval_problem  # noqa: SLF001 - the same

    async def _problem_of(self, call: Call) -> str:
        """Return why an approval passed with the call is invalid; an empty string if it is valid."""
        tool, context = self.tool, call.context
        approval: Approval | None = context._approval  # noqa: SLF001 - internal field of the runtime
        arguments: Any = context._arguments  # noqa: SLF001 - the same
        if approval is None:
            return "no approval was passed with the call"
        name, _, version = approval.tool.partition("@")
        is_version = version in ("", tool.version) or not tool.version
        if (
            name not in (tool.full_name, *tool.aliases)
            or not is_version
            or approval.mode != tool.mode
        ):
            of_mode = f" in the mode `{approval.mode}`" if approval.mode else ""
            return f"the approval is for `{approval.tool}`{of_mode}"
        if approval.digest != digest(approval.tool, arguments):
            return "the approval is for other arguments"
        seconds = approval.expires - time.time()
        if not seconds > 0:  # also true for NaN
            return "the approval has expired"
        used = f"{approval.tool} {approval.digest} {approval.expires!r}"
        if not await self.approvals.claim(used, seconds):
            return "the approval has been used"
        context._claimed_approval = used  # noqa: SLF001 - the same
        call.leaving = (*call.leaving, self._give_back)
        return ""

    async def _give_back(self, call: Call, _: Outcome) -> None:
        """Let the approval of a call that was not admitted be used again."""
        claimed = call.context._claimed_approval  # noqa: SLF001 - internal field of the runtime
        if claimed is not None:
            await self.approvals.release(claimed)

    def _forbidden(self, decision: Decision, permission: Permission | None = None) -> ToolError:
        """Return the error for a call or permission that the policy turns off."""
        subject = f"`{permission.kind}:{permission.resource}` is" if permission else "it is"
        message = f"`{self.tool.full_name}` may not run: {subject} turned off by the policy"
        hint = f"change the rule in `{decision.source}`"
        return self._denial(message, "forbidden", hint, permission)

    def _need(self, permission: Permission | None) -> str:
        if permission is None:
            return f"`{self.tool.full_name}` needs approval"
        operation = f"{permission.operation} " if permission.operation else ""
        resource = f"`{permission.kind}:{permission.resource}`"
        return f"`{self.tool.full_name}` needs approval for {operation}{resource}"

    def _denial(
        self,
        message: str,
        code: str,
        hint: str,
        permission: Permission | None,
        context: AnyContext | None = None,
    ) -> ToolError:
        """Return the error; its details have the digest of the arguments if `context` is passed."""
        tool = self.tool
        details: dict[str, object] = {"tool": tool.full_name, "risk": tool.risk, "hint": hint}
        if tool.mode:
            details["mode"] = tool.mode
        if permission is not None:
            details |= {
                "kind": permission.kind,
                "resource": permission.resource,
                "operation": permission.operation,
            }
        if context is not None:
            arguments: Any = context._arguments  # noqa: SLF001 - internal field of the runtime
            details["digest"] = digest(tool.full_name, arguments)
        return ToolError.permission(message, code=code, details=details)


def _subject(permission: Permission | None) -> _Key:
    """Return the permission of an approval as the end of a key; empty for the call itself."""
    if permission is None:
        return ()
    return (permission.kind, permission.resource, permission.operation)


def choices_for(tool: ToolDefinition) -> tuple[Choice, ...]:
    """Return the approval choices that a tool allows."""
    return _CHOICES[:1] if tool.risk >= _LOWEST_RISK_OF_SINGLE_APPROVALS else _CHOICES


SILENCE: Final = "silence"
"""Returned by `answer_of` for an approver that did not answer in time."""


async def answer_of(
    approver: Approver,
    question: Question,
    log: logging.Logger | CallLog,
    seconds: float = APPROVAL_SECONDS,
) -> Choice | Literal["silence"] | None:
    """Return the approver's choice; None if it did not approve, `SILENCE` if it did not answer.

    A plain function runs in a worker thread, since it may wait for a person. A choice that was not
    offered counts as `once`. A failure of the approver counts as a refusal and is logged; a pending
    approval and a ToolError `permission` propagate.
    """
    import asyncio

    task = asyncio.create_task(_outcome_of(approver, question))
    try:
        await asyncio.wait((task,), timeout=seconds)
    finally:
        is_late = not task.done()
        task.cancel()
    if is_late:
        return SILENCE
    answer, problem = task.result()
    is_denial = isinstance(problem, ToolError) and problem.category == "permission"
    if problem is not None and (is_denial or isinstance(problem, ApprovalPending)):
        raise problem
    if problem is not None:
        log.error("the approver failed, which counts as no", exc_info=problem)
        return None
    for choice in question.choices:
        if answer == choice:
            return choice
    if answer is True or answer in _CHOICES:
        return "once"
    if answer is not False:
        log.error("the approver answered %r, which counts as no", answer)
    return None


async def _outcome_of(
    approver: Approver, question: Question
) -> tuple[object, BaseException | None]:
    """Return the answer or the exception, since SystemExit raised in a task would end the loop."""
    try:
        return await awaitable(approver)(question), None
    except BaseException as problem:
        if is_passing(problem):
            raise
        return None, problem


def digest(tool: str, arguments: Mapping[str, object] | None) -> str:
    """Return the SHA-256 of the tool's name and the arguments, to which an approval is bound.

    Hashes the arguments as sent, as JSON with sorted keys and `1.0` written as `1`, so that neither
    key order nor number format matters. Raises ToolError `validation` for arguments that are not
    JSON.
    """
    import hashlib

    from toolspec.shared.canonical import canonical_json

    try:
        normalized = _with_whole_numbers(copied({} if arguments is None else arguments))
    except NotJsonError as problem:
        field = FieldError(path=problem.path, code="json", message=problem.reason)
        message = f"the arguments of `{tool}` are not JSON: {problem.path}: {problem.reason}"
        raise ToolError.validation(message, field_errors=(field,)) from None
    return hashlib.sha256(canonical_json([tool, normalized]).encode()).hexdigest()


def approve(
    tool: str, arguments: Mapping[str, object] | None, *, seconds: float = 300, mode: str = ""
) -> Approval:
    """Return an approval of one call with exactly these arguments, valid for `seconds`.

    `tool` is the full name, an alias, or `name@version`; `mode` the mode of the registry, empty for
    live.
    """
    expires = time.time() + seconds
    return Approval(tool=tool, digest=digest(tool, arguments), expires=expires, mode=mode)


def _with_whole_numbers(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _with_whole_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
