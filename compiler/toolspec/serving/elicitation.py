"""Elicitation over MCP: sends a question to the client and reads its answer, in both eras.

2025: the server sends `elicitation/create` and waits. 2026: the call returns the question, and is
sent again with the answer and the sealed state that came with the question.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from toolspec.runtime.call_options import APPROVAL_SECONDS
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import ApprovalPending
from toolspec.serving.results import compact, utf8
from toolspec.shared.result_form import META
from toolspec.shared.secret_values import masked

if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeAlias, TypeVar

    from mcp.server.context import ServerRequestContext
    from pydantic import BaseModel

    from toolspec.runtime.call_options import Answer, Question
    from toolspec.runtime.stores import SpentApprovals
    from toolspec.serving.progress import Reporter
    from toolspec.shared.json_values import JsonObject

    RequestContext: TypeAlias = ServerRequestContext[Any, Any]
    ResultT = TypeVar("ResultT", bound=BaseModel)

NOT_ASKED = "approval_required"
"""Code of the error for a client that cannot be asked, as of one without an approver."""

FORM: dict[str, object] = {"type": "object", "properties": {}}
"""An empty form: the client's own buttons approve or decline."""

_SHOWN = 2000
_LONGEST_NAME = 64


class InputRequired(ApprovalPending):
    """Ends a call for now, with a question for its client."""

    def __init__(self, answer: types.InputRequiredResult) -> None:
        super().__init__()
        self.answer = answer


def wording(question: Question) -> str:
    """Return the question as readable text: the tool, its effect, and the whole call.

    Each part is one line of visible characters, which no text in it can break.
    """
    tool = question.tool
    lines = [f"Allow {tool.title or tool.full_name} ({tool.full_name})?"]
    if tool.mode:
        lines.append(f"In the mode {tool.mode}: nothing real is changed.")
    if question.reason:
        lines.append(f"It says: {question.reason}")
    elif summary := tool.summary or tool.description:
        lines.append(summary)
    if tool.destructive:
        lines.append("It may destroy what cannot be brought back.")
    for permission in question.permissions:
        operation = f" ({permission.operation})" if permission.operation else ""
        lines.append(f"It uses {permission.kind} {permission.resource}{operation}.")
    lines.append("Arguments:")
    members = masked(tool.arguments_schema, question.arguments)
    for name, value in members.items() if isinstance(members, dict) else ():
        lines.append(f"  {compact(name)}: {compact(value)}")
    return "\n".join(map(_line, lines))


def _line(text: str) -> str:
    """Return text as one line, with invisible characters escaped and truncation counted."""
    rest = len(text) - _SHOWN
    shown = f"{text[:_SHOWN]} … and {rest} characters more" if rest > 0 else text
    return "".join(item if item.isprintable() else f"<U+{ord(item):04X}>" for item in shown)


def can_show_forms(ctx: RequestContext) -> bool:
    """Return whether the client of a request supports forms in elicitation."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    # A client without modes supports forms: modes were added after elicitation.
    return elicitation is not None and not (
        elicitation.url is not None and elicitation.form is None
    )


async def elicited(
    ctx: RequestContext, question: Question, related: types.RequestId | None, meta: Any = None
) -> Answer:
    """Return the answer of the user behind a client of 2025.

    The question is sent for the request `related`, if any. No answer within `APPROVAL_SECONDS`, or
    a client that cannot ask after all, counts as declined.
    """
    form = _form(ctx, question, meta)
    try:
        answer = await ctx.session.send_request(
            types.ElicitRequest(params=form),
            types.ElicitResult,
            APPROVAL_SECONDS,
            ServerMessageMetadata(related_request_id=related),
        )
    except MCPError:
        return False
    return answer.action == "accept"


def _form(
    ctx: RequestContext, question: Question, meta: Any = None
) -> types.ElicitRequestFormParams:
    """Return the question as a form; `_meta` identifies it to generated clients."""
    permissions = [
        [utf8(permission.kind), utf8(permission.resource), utf8(permission.operation)]
        for permission in question.permissions
    ]
    question_meta = {
        "tool": question.tool.full_name,
        "call": name_of_call(ctx),
        "digest": question.digest,
        "reason": utf8(question.reason),
        "permissions": permissions,
    }
    form_meta: Any = {**(meta or {}), META: question_meta}
    return types.ElicitRequestFormParams(
        _meta=form_meta, message=wording(question), requested_schema=FORM
    )


class Rounds:
    """The questions of one call of 2026, asked round by round.

    The client carries the sealed state: the answers so far, the digests of the questions of the
    last round, and the number of chunks sent, so that a later round, where the handler starts
    again, sends only the rest. A state is valid for one request; when it is sent again, the
    questions are repeated.
    """

    def __init__(
        self,
        ctx: RequestContext,
        params: types.CallToolRequestParams,
        used: SpentApprovals,
        reporter: Reporter | None,
    ) -> None:
        self._ctx = ctx
        self._used = used
        self._reporter = reporter
        self._state: str | None = params.request_state
        if reporter is not None and self._state is not None:
            reporter.skip(json.loads(self._state)["sent"])
        self._agreed: list[str] = []
        self._answers: dict[str, tuple[str, JsonObject]] = {}
        self._asked: dict[str, str] = {}
        self._asking: dict[str, tuple[str, types.InputRequest]] = {}
        """The questions of this round, with their digests."""
        self._responses = params.input_responses or {}
        self._equal: Counter[str] = Counter()

    async def restore(self) -> None:
        """Restore the state of an earlier round, whose seal has been verified.

        Raises ToolError `unavailable` if the store fails.
        """
        text, self._state = self._state, None
        if text is None:
            return
        state_digest = sha256(text.encode()).hexdigest()
        if not await self._used.claim(f"state {state_digest}", APPROVAL_SECONDS):
            self._responses = {}
            return
        state = json.loads(text)
        self._agreed, self._asked = state["yes"], state["asked"]
        self._answers = {key: (digest, value) for key, (digest, value) in state["answers"].items()}

    async def approve(self, question: Question) -> Answer:
        """Return the answer in this request; without one, end the call with the question."""
        key = _key(question, name_of_call(self._ctx))
        if key in self._agreed:
            return True
        response = self._responses.get(key)
        if key in self._asked and isinstance(response, types.ElicitResult):
            if response.action != "accept":
                return False
            self._agreed.append(key)
            return True
        form = _form(self._ctx, question)
        raise await self._pending(key, "", types.ElicitRequest(params=form))

    async def answer(self, request: types.InputRequest, result: type[ResultT], key: str) -> ResultT:
        """Return the answer to a handler's request; without one, end the call with the request.

        `key` is the handler's name for it, or empty: then its content is, with a number for each
        equal one. An answer to another content is not used. One that was not asked for is: unlike
        an approval, it allows nothing, and the client may know what the tool will ask.
        """
        digest = sha256(request.model_dump_json().encode()).hexdigest()[:16]
        if not key:
            self._equal[digest] += 1
            key = f"{request.method.partition('/')[0]}_{digest}_{self._equal[digest]}"
        asked_digest, value = self._answers.get(key, ("", None))
        if value is not None and asked_digest == digest:
            return result.model_validate(value, by_name=False)
        response = self._responses.get(key)
        if isinstance(response, result) and self._asked.get(key, digest) == digest:
            wire = response.model_dump(by_alias=True, mode="json", exclude_none=True)
            self._answers[key] = (digest, wire)
            return response
        raise await self._pending(key, digest, request)

    async def _pending(self, key: str, digest: str, request: types.InputRequest) -> InputRequired:
        """Return the end of the call with a question, and those asked at the same time."""
        self._asking[key] = (digest, request)
        await asyncio.sleep(0)  # lets the other tasks of a `gather` ask too
        state = {
            "yes": self._agreed,
            "answers": self._answers,
            "asked": {name: asked for name, (asked, _) in self._asking.items()},
            "sent": self._reporter.chunks if self._reporter is not None else 0,
            "round": secrets.token_hex(8),
        }
        return InputRequired(
            types.InputRequiredResult(
                input_requests={name: asked for name, (_, asked) in self._asking.items()},
                request_state=json.dumps(state),
            )
        )


def name_of_call(ctx: RequestContext) -> str:
    """Return the name that a generated client gave the call of a request; empty for other clients.

    It distinguishes the questions of two calls with equal arguments.
    """
    name = _envelope(ctx).get("call")
    return name if isinstance(name, str) and len(name) <= _LONGEST_NAME else ""


def compares_chunks(ctx: RequestContext) -> bool:
    """Return whether the caller is a generated client, which compares the result with the chunks.

    It reports an error if they differ, unless it says that it wants the whole result alone.
    """
    return bool(name_of_call(ctx)) and _envelope(ctx).get("whole") is not True


def _envelope(ctx: RequestContext) -> dict[str, object]:
    """Return what a generated client says about its call; empty for other clients."""
    meta: Any = ctx.meta or {}
    envelope = meta.get(META)
    return envelope if isinstance(envelope, dict) else {}


def _key(question: Question, call: str) -> str:
    """Return a key for the question that is the same in every round.

    It names the call, like `_form`, because the protocol drops `_meta` of questions in a result.
    """
    permissions = [
        [permission.kind, permission.resource, permission.operation]
        for permission in question.permissions
    ]
    text = json.dumps([question.tool.full_name, question.digest, question.reason, permissions])
    kind = "permission" if question.reason else "call"
    return f"{kind}_{question.digest}_{sha256(text.encode()).hexdigest()[:16]}_{call}"


async def not_asked(question: Question) -> NoReturn:
    """Raise ToolError `permission` for a client that cannot be asked, worded for its model too."""
    tool = question.tool.full_name
    if question.permissions:
        uses = ", ".join(f"`{one.kind}:{one.resource}`" for one in question.permissions)
        need = f"approval for {uses}"
        way = "allow it by a rule of the registry's policy (`--approve` decides only on calls)"
    else:
        need, way = "approval", "start the server with `--approve auto`"
    message = (
        f"`{tool}` needs {need}, and this client cannot ask for it: use a client with elicitation "
        f"(forms), or {way}"
    )
    raise ToolError.permission(message, code=NOT_ASKED)
