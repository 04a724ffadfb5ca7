"""Requests of handlers to MCP clients: forms, pages, messages of the model, roots and log messages.

2025: the server sends a request and waits. 2026: the call returns its questions, and is sent again
with the answers (`rounds.py`).
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.server.connection import allowed_log_levels
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from toolspec.runtime.call_options import APPROVAL_SECONDS
from toolspec.runtime.callbacks import LOG_LEVELS, ElicitResult, Root, SampleResult
from toolspec.runtime.client_requests import CLIENT_FAILED
from toolspec.runtime.errors import ToolError
from toolspec.serving.elicitation import Rounds, can_show_forms, elicited
from toolspec.serving.progress import Outbox
from toolspec.serving.results import utf8
from toolspec.serving.tool_list import is_modern

if TYPE_CHECKING:
    from typing import Any, TypeAlias, TypeVar

    from mcp.server.connection import Connection
    from pydantic import BaseModel

    from toolspec.runtime.call_options import Approver
    from toolspec.runtime.callbacks import (
        ElicitCallback,
        FormRequest,
        LogCallback,
        LogMessage,
        RootsCallback,
        RootsRequest,
        SampleCallback,
        SampleRequest,
        UrlCallback,
        UrlRequest,
    )
    from toolspec.runtime.stores import SpentApprovals
    from toolspec.serving.elicitation import RequestContext
    from toolspec.serving.progress import Reporter
    from toolspec.shared.json_values import JsonObject

    ResultT = TypeVar("ResultT", bound=BaseModel)
    Asked: TypeAlias = types.ElicitRequest | types.CreateMessageRequest | types.ListRootsRequest

_LEVEL = "toolspec.log_level"
"""Name of the level that a client of 2025 has set, in the state of its connection."""
_DEFAULT_LEVEL: types.LoggingLevel = "info"


class Client:
    """The client behind a request. Each property is None if the client lacks the capability."""

    can_ask = True
    """Whether requests reach the client."""

    def __init__(self, ctx: RequestContext) -> None:
        self._ctx = ctx
        self._outbox: Outbox | None = None

    @property
    def approver(self) -> Approver | None:
        """The approver for the user behind the client."""
        raise NotImplementedError

    @property
    def elicit(self) -> ElicitCallback | None:
        """Shows forms."""
        return self._form if self.can_ask and can_show_forms(self._ctx) else None

    @property
    def elicit_url(self) -> UrlCallback | None:
        """Opens pages."""
        elicitation = self._capabilities.elicitation
        is_able = elicitation is not None and elicitation.url is not None
        return self._page if self.can_ask and is_able else None

    @property
    def sample(self) -> SampleCallback | None:
        """Returns messages of the client's model."""
        return self._sample if self.can_ask and self._capabilities.sampling is not None else None

    @property
    def roots(self) -> RootsCallback | None:
        """Returns the client's roots."""
        return self._roots if self.can_ask and self._capabilities.roots is not None else None

    @property
    def log(self) -> LogCallback | None:
        """Sends log messages of the levels that the client wants."""
        levels = log_levels(self._ctx)
        if not levels:
            return None
        return lambda message: self._send_log(message) if message.level in levels else None

    async def restore(self) -> None:
        """Restore earlier answers."""

    async def flushed(self) -> None:
        """Wait until all log messages so far have been sent."""
        if self._outbox is not None:
            await self._outbox.flushed()

    def drop(self) -> None:
        """Send no more log messages: the call has ended."""
        if self._outbox is not None:
            self._outbox.drop()

    @property
    def _capabilities(self) -> types.ClientCapabilities:
        return self._ctx.session.client_capabilities or types.ClientCapabilities()

    async def _form(self, form: FormRequest) -> ElicitResult:
        params = types.ElicitRequestFormParams(
            message=utf8(form.message), requested_schema=form.schema
        )
        return await self._elicited(types.ElicitRequest(params=params), form.key)

    async def _page(self, page: UrlRequest) -> ElicitResult:
        params = types.ElicitRequestURLParams(message=utf8(page.message), url=page.url)
        if not is_modern(self._ctx.protocol_version):
            params.elicitation_id = secrets.token_urlsafe(18)
        return await self._elicited(types.ElicitRequest(params=params), page.key)

    async def _elicited(self, request: types.ElicitRequest, key: str) -> ElicitResult:
        answer = await self._answer(request, types.ElicitResult, key)
        content: Any = answer.content or {}
        return ElicitResult(action=answer.action, content=content)

    async def _sample(self, request: SampleRequest) -> SampleResult:
        params = types.CreateMessageRequestParams.model_validate(
            {
                "messages": list(request.messages),
                "maxTokens": request.max_tokens,
                "systemPrompt": request.system_prompt or None,
                "temperature": request.temperature,
                "stopSequences": list(request.stop_sequences) or None,
            }
        )
        answer = await self._answer(
            types.CreateMessageRequest(params=params), types.CreateMessageResult, request.key
        )
        return SampleResult(
            content=_wire(answer.content),
            model=answer.model,
            role=answer.role,
            stop_reason=answer.stop_reason or "",
        )

    async def _roots(self, request: RootsRequest) -> list[Root]:
        answer = await self._answer(types.ListRootsRequest(), types.ListRootsResult, request.key)
        return [Root(uri=str(root.uri), name=root.name or "") for root in answer.roots]

    async def _answer(self, request: Asked, result: type[ResultT], key: str) -> ResultT:
        """Return the client's answer to a request. Raises ToolError if it refuses."""
        raise NotImplementedError

    def _send_log(self, message: LogMessage) -> None:
        if self._outbox is None:
            self._outbox = Outbox()
        params = types.LoggingMessageNotificationParams(
            level=message.level, data=message.data, logger=message.logger
        )
        notification = types.LoggingMessageNotification(params=params)
        related = self._related
        self._outbox.put(lambda: self._ctx.session.send_notification(notification, related))

    @property
    def _related(self) -> types.RequestId | None:
        """The request to which messages for the client belong."""
        return self._ctx.request_id


class SessionClient(Client):
    """A client of 2025: a request is sent to it, and waits for its answer."""

    def __init__(self, ctx: RequestContext) -> None:
        super().__init__(ctx)
        self.can_ask = ctx.session.can_send_request

    @property
    def approver(self) -> Approver | None:
        """The approver for the user behind the client."""
        if not self.can_ask or not can_show_forms(self._ctx):
            return None
        return lambda question: elicited(self._ctx, question, self._related)

    async def _answer(self, request: Asked, result: type[ResultT], key: str) -> ResultT:  # noqa: ARG002 - the call waits
        try:
            return await self._ctx.session.send_request(
                request,
                result,
                APPROVAL_SECONDS,
                ServerMessageMetadata(related_request_id=self._related),
            )
        except MCPError as problem:
            message = f"the client did not answer `{request.method}`: {problem.message}"
            raise ToolError.unavailable(message, code=CLIENT_FAILED, retryable=False) from None


class RoundsClient(Client):
    """A client of 2026: the call ends with a question, and is sent again with the answer."""

    def __init__(self, ctx: RequestContext, rounds: Rounds) -> None:
        super().__init__(ctx)
        self._rounds = rounds

    @property
    def approver(self) -> Approver | None:
        """The approver for the user behind the client; None if it cannot show a form."""
        return self._rounds.approve if can_show_forms(self._ctx) else None

    async def restore(self) -> None:
        """Restore the answers of earlier rounds. Raises ToolError if the store fails."""
        await self._rounds.restore()

    async def _answer(self, request: Asked, result: type[ResultT], key: str) -> ResultT:
        return await self._rounds.answer(request, result, key)


def client_of(
    ctx: RequestContext,
    params: types.CallToolRequestParams,
    used: SpentApprovals,
    reporter: Reporter | None,
) -> Client:
    """Return the client behind a request."""
    if is_modern(ctx.protocol_version):
        return RoundsClient(ctx, Rounds(ctx, params, used, reporter))
    return SessionClient(ctx)


async def set_log_level(ctx: RequestContext, params: types.SetLevelRequestParams) -> JsonObject:
    """Keep the level that a client of 2025 wants, for its connection."""
    _connection(ctx).state[_LEVEL] = params.level
    return {}


def log_levels(ctx: RequestContext) -> frozenset[str]:
    """Return the levels of log messages that the client of a request wants."""
    if is_modern(ctx.protocol_version):
        return frozenset(allowed_log_levels(ctx.protocol_version, ctx.meta))
    level = _connection(ctx).state.get(_LEVEL, _DEFAULT_LEVEL)
    return frozenset(LOG_LEVELS[LOG_LEVELS.index(level) :])


def _connection(ctx: RequestContext) -> Connection:
    return ctx.session._connection  # noqa: SLF001 - the SDK shows it to its own server only


def _wire(content: object) -> JsonObject:
    """Return a content block as JSON; of several, the first."""
    block: Any = content[0] if isinstance(content, list) and content else content
    wire: JsonObject = block.model_dump(by_alias=True, mode="json", exclude_none=True)
    return wire
