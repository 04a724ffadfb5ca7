"""Handling of `tools/call`, from the request to the wire result."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import time
from asyncio import CancelledError
from hashlib import sha256
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.shared.exceptions import MCPError

from toolspec.runtime.chunks import reduced
from toolspec.runtime.client_requests import MISSING_CAPABILITY
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import ApprovalPending, is_served
from toolspec.runtime.stores.memory import MemoryApprovals
from toolspec.serving.call_records import CallObserver, ServedCall
from toolspec.serving.client_requests import client_of
from toolspec.serving.elicitation import (
    NOT_ASKED,
    InputRequired,
    compares_chunks,
    name_of_call,
    not_asked,
)
from toolspec.serving.http_request import request_of, responded
from toolspec.serving.in_flight import InFlight
from toolspec.serving.progress import Reporter
from toolspec.serving.results import (
    compact,
    failure,
    is_larger,
    plain,
    size,
    structured,
    too_large,
)
from toolspec.serving.tool_list import is_modern
from toolspec.serving.verifiers import caller_of
from toolspec.shared.records import dataclass, field
from toolspec.shared.result_form import META, is_wrapped

if TYPE_CHECKING:
    from asyncio import Event
    from typing import Any, TypedDict

    from toolspec.runtime.call_options import Approver
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.registry import Registry
    from toolspec.runtime.request import Request
    from toolspec.runtime.stores import SpentApprovals
    from toolspec.serving.client_requests import Client
    from toolspec.serving.elicitation import RequestContext
    from toolspec.serving.stdio import Responses
    from toolspec.serving.tool_list import ToolList
    from toolspec.shared.json_values import JsonObject, JsonValue

    class CallContext(TypedDict):
        """Options of a call that the server knows."""

        request_id: str
        caller: str | None
        scopes: tuple[str, ...] | None
        transport: dict[str, JsonValue]
        approver: Approver | None
        callbacks: Client
        request: Request | None
        responded: Event | None


_log = logging.getLogger("toolspec")

_STOPPING = "the server is stopping and begins no calls"


@dataclass(frozen=True, slots=True)
class Calls:
    """Handles `tools/call`.

    `has_sessions` is whether ids of HTTP sessions are verified before a call arrives.
    """

    registry: Registry
    listing: ToolList
    has_sessions: bool = False
    used: SpentApprovals = field(default_factory=MemoryApprovals)
    responses: Responses | None = None
    """Those of a server on stdio."""
    in_flight: InFlight = field(default_factory=InFlight)
    observers: tuple[CallObserver, ...] = ()
    warned: set[ToolDefinition] = field(default_factory=set)
    """Tools whose approval a client could not be asked for."""
    wrapped: dict[tuple[ToolDefinition, bool], bool] = field(default_factory=dict)
    """Whether results of a tool are wrapped for clients of 2026 or others, once known."""

    async def answer(
        self,
        ctx: RequestContext,
        params: types.CallToolRequestParams,
        reporter: Reporter | None = None,
        client: Client | None = None,
    ) -> JsonObject | types.InputRequiredResult:
        """Return the result of a call, or the question that it needs answered first.

        A call that the server ends in order to stop is an error. Raises MCPError -32602 for an
        unknown tool.
        """
        is_served.set(True)
        call = self._begun(ctx, params)
        try:
            result = None
            if not self.in_flight.is_stopping:
                with self.in_flight.calls.entered():
                    call.is_begun = True
                    result = await self._answer(ctx, params, call, reporter, client)
            if result is None:
                result = _completed(ctx, failure(_stopped(call)))
            call.end(result)
        except MCPError as error:
            call.ending, call.code = "error", str(error.code)
            raise
        else:
            return result
        finally:
            call.seconds = time.perf_counter() - call.began
            for observer in self.observers:
                observer.end(call)

    def _begun(self, ctx: RequestContext, params: types.CallToolRequestParams) -> ServedCall:
        token = get_access_token()
        call = ServedCall(
            name=params.name,
            request_id=os.urandom(8).hex(),
            tool=self.tool(params.name),
            caller=caller_of(token) if token else None,
            transport="http" if ctx.request is not None else "stdio",
            protocol=ctx.protocol_version,
            began=time.perf_counter(),
        )
        for observer in self.observers:
            observer.begin(call)
        return call

    async def _answer(
        self,
        ctx: RequestContext,
        params: types.CallToolRequestParams,
        call: ServedCall,
        reporter: Reporter | None,
        client: Client | None,
    ) -> JsonObject | types.InputRequiredResult:
        if reporter is None and _wants_progress(ctx):
            reporter = Reporter(ctx.session.report_progress, marks=bool(name_of_call(ctx)))
        # A task outlives the request that began it, and has no response to wait for.
        written = self._responded(ctx) if client is None else None
        client = client or client_of(ctx, params, self.used, reporter)
        identity = self._call_context(ctx, call, client, written)
        try:
            result = await self._result(ctx, params, reporter, identity)
            await client.flushed()
        except InputRequired as waiting:
            return waiting.answer
        except ApprovalPending:
            pending = _pending(params.name).sent(call.request_id, retryable=False)
            return _completed(ctx, failure(pending))
        except CancelledError:
            if self.responses is not None:
                self.responses.cancelled(ctx.request_id)
            raise
        except MCPError:
            raise
        except Exception:  # noqa: BLE001 - the SDK shows some clients the text
            _log.exception("a call of `%s` failed in the server", params.name)
            raise MCPError(code=types.INTERNAL_ERROR, message="Internal server error") from None
        finally:
            client.drop()
            if reporter is not None:
                reporter.drop()
        return _completed(ctx, result)

    async def _result(
        self,
        ctx: RequestContext,
        params: types.CallToolRequestParams,
        reporter: Reporter | None,
        identity: CallContext,
    ) -> JsonObject:
        tool = self.tool(params.name)
        try:
            await identity["callbacks"].restore()
            if tool is None:
                # The registry reports it, so that its hooks run for every failure.
                await self.registry.call(params.name, params.arguments, **identity)
            assert tool is not None
            value = await self._value(
                tool, params, identity, reporter, compares=compares_chunks(ctx)
            )
        except ToolError as error:
            if tool is not None:
                _check_capability(ctx, error)
                if error.code == NOT_ASKED:
                    self._warn(tool, error)
                return failure(error.sent(identity["request_id"], error.retryable))
            raise MCPError(types.INVALID_PARAMS, error.message, error.details) from None
        result = self._shaped(ctx, tool, value)
        if is_larger(result, tool.result_bytes):
            return failure(too_large(tool).sent(identity["request_id"], retryable=False))
        return result

    def tool(self, name: str) -> ToolDefinition | None:
        """Return the tool with a name or alias, or None."""
        with contextlib.suppress(ToolError):
            return self.registry.definition(name)
        return None

    def _call_context(
        self, ctx: RequestContext, call: ServedCall, client: Client, written: Event | None
    ) -> CallContext:
        token = get_access_token()
        name = ctx.session.client_params.client_info.name if ctx.session.client_params else ""
        approver = client.approver or (None if self.registry.controls.approver else not_asked)
        return {
            "request_id": call.request_id,
            "caller": call.caller,
            "scopes": tuple(token.scopes) if token else None,
            "transport": {
                "kind": call.transport,
                "protocol": ctx.protocol_version,
                "client": name,
                "session": self._session(ctx),
            },
            "approver": call.watched(approver),
            "callbacks": client,
            "request": request_of(ctx),
            "responded": written,
        }

    def _responded(self, ctx: RequestContext) -> Event | None:
        """Return the event that is set once the response has been written; None if unknown."""
        if self.responses is not None and ctx.request_id is not None:
            return self.responses.responded(ctx.request_id)
        return responded(ctx)

    def _warn(self, tool: ToolDefinition, error: ToolError) -> None:
        """Log once that a tool needs an approval that no client can give in this setup."""
        if tool not in self.warned:
            self.warned.add(tool)
            _log.warning("%s", error.message)

    def _session(self, ctx: RequestContext) -> str | None:
        """Return a name for the HTTP session of a 2025 client; None without a session.

        Clients of 2026, and those of servers without sessions, may send any id. The id itself
        grants access to the session, so handlers, which may log it, get a digest.
        """
        if not self.has_sessions or ctx.request is None or is_modern(ctx.protocol_version):
            return None
        session = ctx.request.headers.get("mcp-session-id", "")
        return sha256(session.encode()).hexdigest()[:16] if session else None

    async def _value(
        self,
        tool: ToolDefinition,
        params: types.CallToolRequestParams,
        identity: CallContext,
        reporter: Reporter | None,
        *,
        compares: bool,
    ) -> JsonValue:
        if reporter is None:
            return await self.registry.call(params.name, params.arguments, **identity)
        if tool.streaming:
            return await self._streamed(tool, params, identity, reporter, compares=compares)
        value = await self.registry.call(
            params.name, params.arguments, on_progress=reporter.listen, **identity
        )
        await reporter.flushed()
        return value

    async def _streamed(
        self,
        tool: ToolDefinition,
        params: types.CallToolRequestParams,
        identity: CallContext,
        reporter: Reporter,
        *,
        compares: bool,
    ) -> JsonValue:
        """Return the complete result of a stream whose chunks are sent as progress messages.

        `after` hooks may have replaced it. A client that compares it with its chunks gets the result
        that these make.
        """
        results: list[JsonValue] = []
        chunks: list[JsonValue] | None = [] if compares else None
        stream = self.registry.stream(
            params.name,
            params.arguments,
            on_progress=reporter.listen,
            on_result=results.append,
            **identity,
        )
        total = 0
        async with contextlib.aclosing(stream):
            async for chunk in stream:
                is_text = tool.reduction == "join" and isinstance(chunk, str)
                text = str(chunk) if is_text else compact(chunk)
                total += size(text)
                if total > tool.result_bytes and tool.reduction != "last":
                    raise too_large(tool)
                await reporter.chunk(text)
                if chunks is not None:
                    chunks.append(chunk)
        return results[0] if chunks is None else reduced(tool, chunks)

    def _shaped(self, ctx: RequestContext, tool: ToolDefinition, value: JsonValue) -> JsonObject:
        """Return a value in the form for the client's era, which its output schema decides.

        A result of a version that the client's list does not show says whether it is wrapped.
        """
        modern = is_modern(ctx.protocol_version)
        wrapped = self.wrapped.get((tool, modern))
        if wrapped is None:
            wrapped = is_wrapped(json.loads(tool.output_schema), modern=modern)
            self.wrapped[tool, modern] = wrapped
        if wrapped:
            result = structured(tool, value, "result")
            is_listed = self.listing.lists(tool, ctx.protocol_version)
            return result if is_listed else {**result, "_meta": {META: {"wrapped": "result"}}}
        if modern or isinstance(value, dict):
            return structured(tool, value)
        return plain(tool, value)  # 2025 allows objects only


def _check_capability(ctx: RequestContext, error: ToolError) -> None:
    """Raise MCPError -32021 for a capability that the client of 2026 did not declare.

    Its handler asked for it and did without nothing else. Clients of 2025 get a tool error.
    """
    name = error.details.get("capability")
    if error.code != MISSING_CAPABILITY or not is_modern(ctx.protocol_version):
        return
    capability, _, part = str(name).partition(".")
    required: JsonObject = {capability: {part: {}} if part else {}}
    code = types.MISSING_REQUIRED_CLIENT_CAPABILITY
    raise MCPError(code, error.message, {"requiredCapabilities": required})


def _completed(ctx: RequestContext, result: JsonObject) -> JsonObject:
    return {"resultType": "complete", **result} if is_modern(ctx.protocol_version) else result


def _pending(name: str) -> ToolError:
    """Return the error of a call whose approver answers in a later call."""
    message = f"`{name}` waits for approval: call it again with the same arguments once it is given"
    return ToolError.permission(message, code="approval_pending", details={"tool": name})


def _stopped(call: ServedCall) -> ToolError:
    """Return the error for a call that a stopping server ended, or did not begin."""
    tool = call.tool
    is_repeatable = tool is None or tool.read_only or tool.idempotent or not call.is_begun
    message = "the server stopped before the call ended" if call.is_begun else _STOPPING
    effect = "" if is_repeatable else "; its effect may have happened anyway"
    error = ToolError.unavailable(f"{message}{effect}", code="server_stopped")
    return error.sent(call.request_id, is_repeatable)


def _wants_progress(ctx: RequestContext) -> bool:
    meta: Any = ctx.meta
    return bool(meta) and meta.get("progress_token") is not None
