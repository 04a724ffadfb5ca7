"""Approval of a client's calls before they are sent, by policy rules or by an approver."""

from __future__ import annotations

from toolspec.runtime.controls.approval import Question, answer_of, choices_for, digest
from toolspec.runtime.controls.permissions import decided_permissions
from toolspec.runtime.controls.policy import check_policy, decision_on_call
from toolspec.runtime.errors import ToolError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import Callable

    from toolspec.runtime.client.one_call import ClientCall
    from toolspec.runtime.controls.approval import Approver
    from toolspec.runtime.controls.policy import Decision, Permission, Policy
    from toolspec.shared.json_values import JsonValue

_HINT = "give the client an approver, or a policy with a rule for this tool"
_HIGHEST_UNASKED = 1


class ClientApproval:
    """Asks for approval on behalf of one client; remembered answers last as long as the client."""

    __slots__ = ("_log", "_policy", "_remembered", "approver")

    def __init__(
        self,
        policy: Policy | None,
        approver: Approver | None,
        log: Callable[[], logging.Logger],
    ) -> None:
        check_policy(policy)
        self._policy = policy
        self.approver = approver
        self._log = log
        self._remembered: set[tuple[str, object]] = set()

    async def obtain(self, call: ClientCall, checked: Callable[[], JsonValue]) -> bool:
        """Return whether the call is sent with an approval, given by an approver or a rule.

        `checked` returns the arguments shown to the approver; it raises for invalid ones before
        anybody is asked. Raises ToolError `permission`: `forbidden` by a rule, `approval_required`
        without an approver, `refused` if the approver declines or does not answer.
        """
        asked = self._to_be_asked(call)
        if asked is None:
            return call.tool.risk > _HIGHEST_UNASKED
        if call.subject in self._remembered:
            return True
        shown = checked()
        if self.approver is None:
            said = "needs a yes, and there is nobody to ask"
            raise _denial(call, said, "approval_required", _HINT)
        if not await self._is_agreed(self.approver, call, shown, asked):
            hint = "ask those who decide before calling again"
            raise _denial(call, "needs a yes, and the answer was no", "refused", hint)
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
        for one, found in decided:
            if found is not None and found.mode == "off":
                raise _turned_off(call, f"needs `{one.kind}:{one.resource}`, which is", found)
        is_free = all(found is None or found.mode == "auto" for _, found in decided)
        if whole.mode == "auto" and is_free:
            return None
        return tuple(one for one, found in decided if found is None or found.mode == "ask")

    async def _is_agreed(
        self,
        approver: Approver,
        call: ClientCall,
        shown: JsonValue,
        covered: tuple[Permission, ...],
    ) -> bool:
        tool = call.tool
        question = Question(
            tool=tool,
            arguments=shown,
            digest=digest(tool.full_name, call.arguments),
            request_id=call.request_id,
            choices=choices_for(tool),
            permissions=covered,
        )
        choice = await answer_of(approver, question, self._log())
        if choice not in (None, "once"):
            self._remembered.add(call.subject)
        return choice is not None


def _turned_off(call: ClientCall, what: str, decision: Decision) -> ToolError:
    said = f"{what} turned off by the policy of this client"
    return _denial(call, said, "forbidden", f"change the rule in `{decision.source}`")


def _denial(call: ClientCall, said: str, code: str, hint: str) -> ToolError:
    details = {"tool": call.tool.full_name, "risk": call.tool.risk, "hint": hint}
    error = ToolError.permission(f"`{call.name}` {said}", code=code, details=details)
    return error.sent(call.request_id, retryable=False)
