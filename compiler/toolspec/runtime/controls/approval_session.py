"""Approval of a call: choosing the approver, asking, and remembering answers."""

from __future__ import annotations

import time

from toolspec.runtime.controls.approval import Question, answer_of, choices_for, digest
from toolspec.runtime.errors import ToolError
from toolspec.runtime.names import exact_name

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from toolspec.runtime.controls.approval import Approval, Approver, Choice
    from toolspec.runtime.controls.policy import Decision, Permission
    from toolspec.runtime.hooks import AnyContext
    from toolspec.runtime.plan import Plan

    _Key: TypeAlias = tuple[object, ...]

HINT = "give an approver or a rule (`with_controls`), or an approval with the call"


class ApprovalSession:
    """Answers the approval questions of one call."""

    __slots__ = ("_ahead", "_approval", "_approver", "_arguments", "_context", "_granted", "plan")

    def __init__(
        self,
        plan: Plan,
        context: AnyContext,
        arguments: object,
        approver: Approver | None,
        approval: Approval | None,
    ) -> None:
        self.plan = plan
        self._context = context
        self._arguments: Mapping[str, object] = arguments  # type: ignore[assignment]  # checked by now
        self._approver = approver or plan.controls.approver
        self._approval = approval
        self._ahead: str | None = None
        self._granted: set[_Key] = set()

    def given_ahead(self) -> bool:
        """Return whether the call came with a matching approval, and use it up."""
        if self._ahead is None:
            self._ahead = self._examined()
        return not self._ahead

    async def consent(
        self, covered: tuple[Permission, ...] = (), one: Permission | None = None, reason: str = ""
    ) -> None:
        """Return once the call, or `one` permission of it, is approved.

        `covered` are the permissions that an approval of the call covers. Remembered answers count.
        Raises ToolError `permission`: `approval_required` without an approver, `refused` if it
        declines or does not answer. A pending approval propagates.
        """
        key = _key(one)
        if key in self._granted or self._is_remembered(key):
            return
        if self._approver is None:
            why = f": {self._ahead}" if self._approval and self._ahead else ""
            message = f"{self._wish(one)}, and there is nobody to ask{why}"
            raise self._denial(message, "approval_required", HINT, one)
        choice = await self._answer(self._approver, (one,) if one else covered, reason)
        if choice is None:
            message = f"{self._wish(one)}, and the answer was no"
            raise self._denial(message, "refused", "ask those who decide before calling again", one)
        self._granted.add(key)
        self._remember(key, choice)

    def forbidden(self, decision: Decision, one: Permission | None = None) -> ToolError:
        """Return the error for a call or permission that the policy turns off."""
        what = f"`{one.kind}:{one.resource}` is" if one else "it is"
        message = f"`{self.plan.tool.full_name}` may not run: {what} turned off by the policy"
        hint = f"change the rule in `{decision.source}`"
        return self._denial(message, "forbidden", hint, one)

    async def _answer(
        self, approver: Approver, permissions: tuple[Permission, ...], reason: str
    ) -> Choice | None:
        """Return the approver's choice; None if it did not approve."""
        tool, context = self.plan.tool, self._context
        question = Question(
            tool=tool,
            arguments=self.plan.input_validator.checked(self._arguments),
            digest=digest(tool.full_name, self._arguments),
            caller=context.caller,
            request_id=context.request_id,
            choices=choices_for(tool),
            permissions=permissions,
            reason=reason,
        )
        return await answer_of(approver, question, context.log)

    def _is_remembered(self, key: _Key) -> bool:
        answers = self.plan.answers
        return bool(answers) and not answers.isdisjoint((self._always(key), self._session(key)))

    def _remember(self, key: _Key, choice: Choice) -> None:
        if choice == "always":
            self.plan.answers.add(self._always(key))
        elif choice == "session":
            self.plan.answers.add(self._session(key))

    def _always(self, key: _Key) -> _Key:
        tool = self.plan.tool
        return (tool.full_name, tool.version, self._context.instance, *key)

    def _session(self, key: _Key) -> _Key:
        """Return the key of an approval for one caller, and one session if there are sessions."""
        session = (self._context.transport or {}).get("session")
        return (*self._always(key), "session", self._context.caller, str(session))

    def _examined(self) -> str:
        """Return why the approval is invalid for this call; an empty string if it is valid."""
        approval, tool = self._approval, self.plan.tool
        if approval is None:
            return "no approval was given"
        if approval.tool not in (tool.full_name, exact_name(tool)) or approval.mode != tool.mode:
            of_mode = f" in the mode `{approval.mode}`" if approval.mode else ""
            return f"the approval is for `{approval.tool}`{of_mode}"
        if approval.digest != digest(approval.tool, self._arguments):
            return "the approval is for other arguments"
        now = time.time()
        if not now < approval.expires:  # also true for NaN
            return "the approval has expired"
        if not self.plan.memory.use(approval, now):
            return "the approval has been used"
        return ""

    def _wish(self, one: Permission | None) -> str:
        name = self.plan.tool.full_name
        if one is None:
            return f"`{name}` needs a yes"
        what = f"{one.operation} " if one.operation else ""
        return f"`{name}` needs a yes for {what}`{one.kind}:{one.resource}`"

    def _denial(self, message: str, code: str, hint: str, one: Permission | None) -> ToolError:
        tool = self.plan.tool
        details: dict[str, object] = {"tool": tool.full_name, "risk": tool.risk, "hint": hint}
        if tool.mode:
            details["mode"] = tool.mode
        if one is not None:
            details |= {"kind": one.kind, "resource": one.resource, "operation": one.operation}
        if code == "approval_required":
            details["digest"] = digest(tool.full_name, self._arguments)
        return ToolError.permission(message, code=code, details=details)


def _key(one: Permission | None) -> _Key:
    return () if one is None else (one.kind, one.resource, one.operation)
