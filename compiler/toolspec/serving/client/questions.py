"""A client's responses to elicitation by a server, from approvals and approvers."""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import TYPE_CHECKING

import mcp_types as types

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.call_options import Permission, Question
from toolspec.runtime.callbacks import (
    ElicitResult,
    FormRequest,
    LogMessage,
    RootsRequest,
    SampleRequest,
    SampleResult,
    UrlRequest,
)
from toolspec.runtime.controls.approval import answer_of
from toolspec.shared.records import dataclass
from toolspec.shared.result_form import META

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from mcp.client.session import ClientRequestContext

    from toolspec.runtime.call_options import Approver
    from toolspec.runtime.callbacks import ClientCallbacks
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
    """Answers questions about the calls in progress, by callbacks what handlers ask.

    All others are declined. An approval sent with a call answers the question about that call, identified by its name and
    the digest of its arguments. Questions that a handler asks during the call go to the call's
    approver.
    """

    def __init__(self, callbacks: ClientCallbacks) -> None:
        self._callbacks = callbacks
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
        if question is None:
            return await self._elicited(params)
        pending = self._calls.get(question.call)
        if pending is None or pending[0].digest != question.digest:
            return _NO
        call, clock = pending
        if call.is_approved and not question.reason:
            return _YES
        if call.approver is None:
            return _NO
        with clock.stopped():
            return _YES if await _agrees(call.approver, call, question) else _NO

    def declared(self) -> dict[str, Any]:
        """Return the options of an SDK client that declares and calls the callbacks."""
        options: dict[str, Any] = {"elicitation_callback": self.answer}
        if self._callbacks.sample is not None:
            options["sampling_callback"] = self._sampled
        if self._callbacks.roots is not None:
            options["list_roots_callback"] = self._listed_roots
        if self._callbacks.log is not None:
            options |= {"logging_callback": self._logged, "log_level": "info"}
        return options

    async def _elicited(self, params: types.ElicitRequestParams) -> types.ElicitResult:
        """Return the user's response to a form or page; without a callback, it is declined."""
        if isinstance(params, types.ElicitRequestURLParams):
            page = UrlRequest(message=params.message, url=params.url)
            answer = await self._called(self._callbacks.elicit_url, page)
        else:
            form = FormRequest(message=params.message, schema=params.requested_schema)
            answer = await self._called(self._callbacks.elicit, form)
        if not isinstance(answer, ElicitResult):
            return _NO if answer is None else types.ElicitResult(action="cancel")
        content: Any = answer.content if answer.action == "accept" else None
        return types.ElicitResult(action=answer.action, content=content)

    async def _sampled(
        self, _: ClientRequestContext, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult | types.ErrorData:
        wire = params.model_dump(by_alias=True, mode="json", exclude_none=True)
        request = SampleRequest(
            messages=tuple(wire["messages"]),
            max_tokens=params.max_tokens,
            system_prompt=params.system_prompt or "",
            temperature=params.temperature,
            stop_sequences=tuple(params.stop_sequences or ()),
        )
        answer = await self._called(self._callbacks.sample, request)
        if not isinstance(answer, SampleResult):
            return _FAILED
        return types.CreateMessageResult.model_validate(
            {
                "role": answer.role,
                "content": answer.content,
                "model": answer.model,
                "stopReason": answer.stop_reason or None,
            }
        )

    async def _listed_roots(
        self, _: ClientRequestContext
    ) -> types.ListRootsResult | types.ErrorData:
        answer = await self._called(self._callbacks.roots, RootsRequest())
        if not isinstance(answer, (list, tuple)):
            return _FAILED
        roots = [{"uri": root.uri, "name": root.name or None} for root in answer]
        return types.ListRootsResult.model_validate({"roots": roots})

    async def _logged(self, params: types.LoggingMessageNotificationParams) -> None:
        message = LogMessage(level=params.level, data=params.data, logger=params.logger or "")
        await self._called(self._callbacks.log, message)

    async def _called(self, callback: Callable[[Any], object] | None, request: object) -> object:
        """Return a callback's answer, None without one, and False if it fails.

        No call in progress counts as silent meanwhile.
        """
        if callback is None:
            return None
        with ExitStack() as clocks:
            for _, clock in self._calls.values():
                clocks.enter_context(clock.stopped())
            try:
                return await awaited(callback(request))
            except Exception:  # noqa: BLE001 - a user's callback
                _log.exception("a callback of the client failed")
                return False


_FAILED = types.ErrorData(code=types.INTERNAL_ERROR, message="the client's callback failed")
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
