"""A client's responses to elicitation by a server, from approvals and approvers."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import mcp_types as types

from toolspec.runtime.call_options import Permission, Question
from toolspec.runtime.controls.approval import answer_of
from toolspec.serving.results import META
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mcp.client.session import ClientRequestContext

    from toolspec.runtime.call_options import Approver
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.serving.client.connection import IdleClock

_log = logging.getLogger("toolspec")


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call in progress, with the digest of its arguments and its approval."""

    tool: ToolDefinition
    digest: str
    arguments: dict[str, Any]
    is_approved: bool
    approver: Approver | None


class Answers:
    """Answers questions about the calls in progress and declines all others.

    An approval sent with a call answers the question about that call, identified by its name and
    the digest of its arguments. Questions that a handler asks during the call go to the call's
    approver.
    """

    def __init__(self) -> None:
        self._calls: dict[str, tuple[PendingCall, IdleClock]] = {}
        self._numbers = count()

    @contextmanager
    def about(self, call: PendingCall, clock: IdleClock) -> Iterator[str]:
        """Answer questions about a call within the block. Yields the name to send with it."""
        name = str(next(self._numbers))
        self._calls[name] = (call, clock)
        try:
            yield name
        finally:
            del self._calls[name]

    async def answer(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult:
        """Return the answer to a question of the server."""
        question = _server_question(context, params)
        pending = self._calls.get(question.call) if question is not None else None
        if question is None or pending is None or pending[0].digest != question.digest:
            return _NO
        call, clock = pending
        if call.is_approved and not question.reason:
            return _YES
        if call.approver is None:
            return _NO
        with clock.stopped():
            return _YES if await _agrees(call.approver, call, question) else _NO


_YES = types.ElicitResult(action="accept", content={})
_NO = types.ElicitResult(action="decline")


@dataclass(frozen=True, slots=True)
class _ServerQuestion:
    """A question: its call, and the reason if it is about a permission."""

    call: str
    digest: str
    reason: str
    permissions: tuple[Permission, ...] = ()


def _server_question(
    context: ClientRequestContext, params: types.ElicitRequestParams
) -> _ServerQuestion | None:
    """Return the question of a toolspec server; None for questions of other servers.

    2025: in `_meta`. 2026: in the name of the question and in its text.
    """
    meta: Any = params.meta or {}
    envelope = meta.get(META)
    if isinstance(envelope, dict):
        return _ServerQuestion(
            call=str(envelope.get("call")),
            digest=str(envelope.get("digest")),
            reason=str(envelope.get("reason", "")),
            permissions=_permissions(envelope.get("permissions")),
        )
    match str(context.request_id).split("_"):
        case ["call", digest, _, call]:
            return _ServerQuestion(call, digest, "")
        case ["permission", digest, _, call]:
            return _ServerQuestion(call, digest, params.message)
    return None


async def _agrees(approver: Approver, call: PendingCall, request: _ServerQuestion) -> bool:
    question = Question(
        tool=call.tool,
        arguments=call.arguments,
        digest=call.digest,
        reason=request.reason,
        permissions=request.permissions,
    )
    return await answer_of(approver, question, _log) in question.choices


def _permissions(entries: object) -> tuple[Permission, ...]:
    parts = entries if isinstance(entries, list) else []
    return tuple(
        Permission(kind=str(part[0]), resource=str(part[1]), operation=str(part[2]))
        for part in parts
        if isinstance(part, list) and len(part) == _FIELDS
    )


_FIELDS = 3
