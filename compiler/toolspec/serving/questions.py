"""What a server asks in the middle of a client's calls, answered by whoever the calls brought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mcp_types as types

from toolspec.runtime.controls.approval import Question
from toolspec.runtime.controls.policy import Permission
from toolspec.runtime.failure import HOOK_FAILURES
from toolspec.serving.results import META

if TYPE_CHECKING:
    from typing import Any

    from mcp.client.session import ClientRequestContext

    from toolspec.runtime.controls.approval import Approver
    from toolspec.runtime.definition import ToolDefinition


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A call that has been sent: the digest of its arguments, and whether it brought a yes."""

    tool: ToolDefinition
    digest: str
    arguments: dict[str, Any]
    is_approved: bool
    approver: Approver | None


class Answers:
    """Answers questions about the calls that are under way; every other question is declined.

    A yes that came with a call answers what is asked about that call, known by the digest of its
    arguments. What a handler asks for in its middle goes to the approver of the call.
    """

    def __init__(self) -> None:
        self._calls: list[UnderWay] = []

    def begin(self, call: UnderWay) -> None:
        """Answer questions about a call from now on."""
        self._calls.append(call)

    def end(self, call: UnderWay) -> None:
        """Answer no more of them."""
        self._calls = [each for each in self._calls if each is not call]

    async def answer(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult:
        """Return the answer to a server's question."""
        asked = _asked(context, params)
        about = [each for each in self._calls if asked is not None and each.digest == asked.digest]
        if asked is not None and not asked.reason and any(each.is_approved for each in about):
            return _YES
        for each in about[:1]:
            if each.approver is not None and await _agrees(each.approver, each, asked):
                return _YES
        return _NO


_YES = types.ElicitResult(action="accept", content={})
_NO = types.ElicitResult(action="decline")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question: about which call, and why it is asked where the call itself is not in question."""

    digest: str
    reason: str
    permissions: tuple[Permission, ...] = ()


def _asked(context: ClientRequestContext, params: types.ElicitRequestParams) -> _Asked | None:
    """Return what a server of ours asks; None for a question of another make.

    2025: under our key of `_meta`. 2026: in the name of the question, and in its text.
    """
    meta: Any = params.meta or {}
    told = meta.get(META)
    if isinstance(told, dict):
        permissions = _permissions(told.get("permissions"))
        return _Asked(str(told.get("digest")), str(told.get("reason", "")), permissions)
    kind, _, rest = str(context.request_id).partition("_")
    if kind not in ("call", "permission"):
        return None
    return _Asked(rest.partition("_")[0], params.message if kind == "permission" else "")


async def _agrees(approver: Approver, call: UnderWay, asked: _Asked | None) -> bool:
    question = Question(
        tool=call.tool,
        arguments=call.arguments,
        digest=call.digest,
        reason=asked.reason if asked else "",
        permissions=asked.permissions if asked else (),
    )
    try:
        answer: object = approver(question)
        if hasattr(answer, "__await__"):
            answer = await answer
    except HOOK_FAILURES:
        return False
    return answer is True or answer in ("once", "session", "always")


def _permissions(told: object) -> tuple[Permission, ...]:
    parts = told if isinstance(told, list) else []
    return tuple(
        Permission(kind=str(each[0]), resource=str(each[1]), operation=str(each[2]))
        for each in parts
        if isinstance(each, list) and len(each) == _FIELDS
    )


_FIELDS = 3
