"""McpTransport: client calls over MCP, to servers of both eras and of other vendors."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import httpx2
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client import InputRequiredRoundsExceededError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from toolspec.runtime.callbacks import ClientCallbacks
from toolspec.runtime.client.transport import LOST
from toolspec.runtime.client_requests import MISSING_CAPABILITY
from toolspec.runtime.controls.approval import digest
from toolspec.runtime.errors import ToolError
from toolspec.serving.certificates import certificates
from toolspec.serving.client.chunks import ChunkCollector
from toolspec.serving.client.connection import (
    UNREACHABLE,
    Connection,
    SessionGoneError,
    answered,
)
from toolspec.serving.client.http_refusals import note_response, noted_refusal
from toolspec.serving.client.listing import read_list
from toolspec.serving.client.questions import Answers, PendingCall
from toolspec.serving.client.tool_list import ListedTool, Listing, find_listed, read_listing
from toolspec.serving.progress import progress_of
from toolspec.serving.tool_list import is_modern
from toolspec.shared.result_form import META

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
    from typing import Any, Self, Unpack

    from mcp.client._transport import TransportStreams
    from mcp.shared.dispatcher import ProgressFnT

    from toolspec.runtime.client.transport import CallEnvelope
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.serving.client.guard import ClientGuard
    from toolspec.shared.json_values import JsonObject, JsonValue

T = TypeVar("T")

SILENCE_SECONDS = 300.0
_CONNECT_SECONDS = 30.0
_ROUNDS = 100
"""Maximum rounds of questions of one call."""
_READS = 5
"""Attempts to read a list that changes meanwhile."""
SESSION_GONE = "session_gone"
"""The error code of a call that did not run, since the server knows no session of this client."""
_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
"""Seconds until a lost stream of changes is opened again, doubled each time."""


class McpTransport:
    """Carries calls to a server: a URL, a command on stdio, an open `mcp.Client`, or a transport.

    It opens at the first call, and again after a lost connection or session; `aclose`, or leaving its
    context, closes it. Questions about an approved call are answered with the approval, all others by the
    client's approver. `callbacks` answer what handlers ask; the connection declares them as its
    capabilities. An open `mcp.Client` belongs to its owner, is never reopened, and answers by its
    own callbacks. `token` is a bearer token, sent to the host of the URL and to no other.

    `mode` is the SDK's: `auto` detects the era of the server, `legacy` uses the handshake.

    `timeout` is the maximum number of seconds without a message for a request, None for unlimited;
    the request then ends with ToolError `timeout` and an unknown effect. Progress restarts the
    timeout, and it is paused while a question of the server is answered.

    `contract` is a file: no call goes out before the server's list was compared with it. A list that
    breaks it ends calls with ToolError `permission`, code `contract_broken`. Raises ValueError for a
    contract that cannot be relied on, and for an open client, whose list others may change.
    """

    def __init__(  # noqa: PLR0913 - options, by keyword
        self,
        server: Any,
        *,
        mode: str = "auto",
        timeout: float | None = SILENCE_SECONDS,
        callbacks: ClientCallbacks | None = None,
        token: str = "",
        contract: str | os.PathLike[str] | None = None,
    ) -> None:
        self._answers = Answers(callbacks or ClientCallbacks())
        self._own = server if isinstance(server, Client) else None
        self._guard = None if contract is None else _guard(contract, self._own)
        self._listed: _Listed | None = None
        self._listing = asyncio.Lock()
        self._changes = 0
        self._is_deaf = False
        self.address = _address(server)
        made = Client if self._guard is None else self._guard.client
        self._connection = Connection(
            lambda: made(
                self._over_http(server, token) if isinstance(server, str) else server,
                mode=mode,
                input_required_max_rounds=_ROUNDS,
                message_handler=self._notified,
                **self._answers.declared(),
            ),
            timeout,
            self.address,
            None if self._guard is None else self._watch,
        )
        self._timeout = timeout

    async def __aenter__(self) -> Self:
        await self._client()
        if self._guard is not None:
            try:
                await self._current()
            except BaseException:
                await self.aclose()
                raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connection; a later call opens it again."""
        await self._connection.close()

    async def tools(self) -> Mapping[str, ListedTool]:
        """Return the server's tools by name. Raises ToolError if it cannot be reached, or relied on."""
        return (await _in_session(self._current)).listing.tools

    async def _current(self) -> _Listed:
        """Return the server's list, read and compared again unless it is still good.

        Raises ToolError if the server cannot be reached, or if its list breaks the contract.
        """
        async with self._listing:
            for _ in range(_READS):
                client = await self._client()
                listed = self._listed
                if listed is not None and self._holds(listed, client):
                    return listed
                listed = await self._read(client)
                if self._guard is None or listed.changes == self._changes:
                    self._listed = listed
                    return listed
        message = f"the server changed its list of tools {_READS} times while it was read"
        raise ToolError.unavailable(message, code="list_changed")

    def _holds(self, listed: _Listed, client: Client) -> bool:
        """Return whether a list that was read before is still that of the server."""
        is_newest = listed.client is client and listed.changes == self._changes
        is_fresh = not self._is_deaf and time.monotonic() < listed.until
        return is_newest and (self._guard is None or is_fresh)

    async def _read(self, client: Client) -> _Listed:
        self._listed, changes, now = None, self._changes, time.monotonic()
        async with answered("`tools/list`", self._timeout):
            with _raising_tool_errors(self, client, "tools/list"):
                listing = await read_listing(client)
            if self._guard is not None:
                await asyncio.to_thread(self._guard.check, listing.dump)
        return _Listed(client, changes, now + _seconds(listing.dump), listing)

    async def read_list(self) -> JsonObject:
        """Return the server's whole list as it was sent. Raises ToolError as `tools` does."""
        return await _in_session(self._read_list)

    async def _read_list(self) -> JsonObject:
        client = await self._client()
        async with answered("`tools/list`", self._timeout):
            with _raising_tool_errors(self, client, "tools/list"):
                return await read_list(client)

    async def find(self, name: str) -> ListedTool | None:
        """Return the listed tool with a name or alias, optionally with a version, or None."""
        return find_listed(await self.tools(), name)

    async def served(self, name: str) -> ToolDefinition:
        """Return the server's definition of a tool, including the mode in which it is served."""
        tool, _ = await _in_session(lambda: self._listed_tool(name))
        return tool.definition

    async def call(
        self, name: str, arguments: Mapping[str, object], /, **carried: Unpack[CallEnvelope]
    ) -> JsonValue:
        """Return the tool's complete result, unwrapped from the form of the protocol version."""
        on_progress = carried.get("on_progress")

        async def listen(progress: float, total: float | None, message: str | None) -> None:
            if on_progress is not None:
                on_progress(progress_of(progress, total, message))

        async def attempt() -> JsonValue:
            tool, client = await self._listed_tool(name)
            heard = listen if on_progress else None
            sent = self._sent(client, tool, arguments, carried, heard, is_whole=True)
            return tool.value(await sent)

        return await _in_session(attempt)

    async def stream(
        self, name: str, arguments: Mapping[str, object], /, **carried: Unpack[CallEnvelope]
    ) -> AsyncGenerator[JsonValue, None]:
        """Yield the chunks as the server reports them, or the complete result if it reports none.

        Raises ToolError `output` if the complete result does not match its chunks.
        """
        with contextlib.suppress(SessionGoneError):  # which comes before the first chunk
            async with aclosing(self._streamed(name, arguments, carried)) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        async with aclosing(self._streamed(name, arguments, carried)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _streamed(
        self, name: str, arguments: Mapping[str, object], carried: CallEnvelope
    ) -> AsyncGenerator[JsonValue, None]:
        tool, client = await self._listed_tool(name)
        pieces = ChunkCollector(tool.definition, carried.get("on_progress"))
        listen = pieces.listen if tool.definition.streaming else None
        with self._connection.used(client):  # the task begins later
            call = asyncio.create_task(self._sent(client, tool, arguments, carried, listen))
            call.add_done_callback(pieces.end)
            try:
                async for chunk in pieces.coming():
                    yield chunk
                for chunk in pieces.missing(tool.value(await call)):
                    yield chunk
            finally:
                call.cancel()
                await asyncio.wait([call])

    async def _sent(  # noqa: PLR0913 - a call, its server, and how it is heard
        self,
        client: Client,
        tool: ListedTool,
        arguments: Mapping[str, object],
        carried: CallEnvelope,
        listen: ProgressFnT | None,
        *,
        is_whole: bool = False,
    ) -> types.CallToolResult:
        """Return the result; with `is_whole` that of `after` hooks, even if chunks contradict it."""
        definition, sent = tool.definition, dict(arguments)
        call = PendingCall(
            tool=definition,
            digest=digest(definition.full_name, sent),
            arguments=sent,
            is_approved=carried.get("approval") is not None,
            approver=carried.get("approver"),
        )
        async with answered(f"`{tool.name}`", self._timeout) as clock:

            async def heard(progress: float, total: float | None, message: str | None) -> None:
                clock.restart()
                if listen is not None:
                    await listen(progress, total, message)

            with (
                self._answers.about(call, clock) as name,
                _raising_tool_errors(self, client, tool.name),
            ):
                meta: Any = {META: {"call": name, "whole": is_whole}}
                result = await client.call_tool(tool.name, sent, progress_callback=heard, meta=meta)
        if result.is_error:
            raise _failure(result)
        return result

    async def _listed_tool(self, name: str) -> tuple[ListedTool, Client]:
        """Return a tool from the server's list, and who listed it; an unlisted one has the highest risk.

        Raises ToolError for one that was not compared with the contract.
        """
        listed = await self._current()
        tool = find_listed(listed.listing.tools, name) or ListedTool.unknown(name)
        if self._guard is not None:
            self._guard.allow(tool, name)
        return tool, listed.client

    async def _notified(self, message: object) -> None:
        """Read the list again at the next call, once the server says that it has changed."""
        if isinstance(message, types.ToolListChangedNotification):
            self._changes += 1

    async def _watch(self, client: Client) -> None:
        """Receive the changes of a list whose server announces them on a stream (2026-07-28)."""
        self._is_deaf = False
        tools = client.server_capabilities.tools
        if not is_modern(client.protocol_version) or tools is None or not tools.list_changed:
            return
        pause = _PAUSE
        while True:
            self._is_deaf = True
            with contextlib.suppress(Exception):  # until it listens, no list is kept
                async with client.listen(tools_list_changed=True) as stream:
                    self._is_deaf, pause = False, _PAUSE
                    self._changes += 1  # it may have changed before
                    async for _ in stream:
                        self._changes += 1
            self._is_deaf = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _client(self) -> Client:
        if self._own is not None:
            return self._own
        with noted_refusal(self.address) as refusal:
            try:
                return await self._connection.client()
            except ToolError as error:
                refused = refusal.error() if error.code == UNREACHABLE else None
                raise refused or error from None

    @contextlib.asynccontextmanager
    async def _over_http(self, url: str, token: str) -> AsyncIterator[TransportStreams]:
        """Yield the streams of a connection, whose requests carry the bearer token, if any.

        The SDK's transport follows redirects only within the origin of the URL.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        timeout = httpx2.Timeout(_CONNECT_SECONDS, read=SILENCE_SECONDS)
        hooks = {"response": [note_response]}
        async with (
            httpx2.AsyncClient(
                headers=headers, verify=certificates(), timeout=timeout, event_hooks=hooks
            ) as http,
            streamable_http_client(url, http_client=http) as streams,
        ):
            yield streams

    def forget_list(self) -> None:
        """Read the list again at the next call."""
        self._changes += 1

    def lost(self, client: Client) -> None:
        """Discard a client whose server is gone."""
        self._connection.drop(client)

    def request(self, client: Client) -> contextlib.AbstractContextManager[None]:
        """Return the context of a request of a client."""
        return self._connection.used(client)

    def session_gone(self, client: Client) -> None:
        """Discard a client whose session is gone; other requests of it may still be answered."""
        self._connection.retire(client)


class _Listed(NamedTuple):
    """A list that was read: by which client, after how many changes, and until when it may be used."""

    client: Client
    changes: int
    until: float
    listing: Listing


def _seconds(dump: JsonObject) -> float:
    """Return how long a client may keep a list: until a change is announced, on 2025-11-25."""
    milliseconds = dump.get("ttlMs", 0)
    if not is_modern(str(dump["protocolVersion"])):
        return math.inf
    return milliseconds / 1000 if isinstance(milliseconds, (int, float)) else 0


def _guard(contract: str | os.PathLike[str], own: Client | None) -> ClientGuard:
    from toolspec.serving.client.guard import ClientGuard

    if own is not None:
        problem = "`contract` needs a connection that `McpTransport` opens: pass its URL, command or transport"
        raise ValueError(problem)
    return ClientGuard(os.fspath(contract))


@contextlib.contextmanager
def _raising_tool_errors(transport: McpTransport, client: Client, name: str) -> Any:
    """Convert exceptions of the SDK into ToolError."""
    with transport.request(client), noted_refusal(transport.address) as refusal:
        try:
            yield
        except MCPError as problem:
            if refusal.is_session_gone:
                transport.session_gone(client)
                message = f"the server has no session for `{name}`, not even a new one"
                raise SessionGoneError.unavailable(message, code=SESSION_GONE) from None
            if problem.code == types.CONNECTION_CLOSED:
                transport.lost(client)
            if problem.code == types.HEADER_MISMATCH:  # it was not sent as the newest list says
                transport.forget_list()
                message = f"the server changed its list before `{name}` was called"
                raise ToolError.unavailable(message, code="list_changed") from None
            is_substitute = problem.code in (types.INTERNAL_ERROR, types.METHOD_NOT_FOUND)
            refused = refusal.error() if is_substitute else None
            raise refused or _refusal(problem, name) from None
        except ValidationError:
            message = f"the answer of the server to `{name}` is none of the protocol's"
            raise ToolError.output(message) from None
        except InputRequiredRoundsExceededError:
            message = (
                f"`{name}` asked more than {_ROUNDS} rounds of questions: do its questions change?"
            )
            raise ToolError.internal(message, code="too_many_questions") from None
        except (OSError, RuntimeError) as problem:
            transport.lost(client)
            message = f"the connection was lost before `{name}` was answered: {problem}"
            raise ToolError.unavailable(message, code=LOST, retryable=False) from None


async def _in_session(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what an attempt returns, which is made once more if the session of the first is gone.

    That is safe for any call, since a server without the session runs none. After a second time the
    error goes to the caller, so a server that forgets every session causes no loop.
    """
    with contextlib.suppress(SessionGoneError):
        return await attempt()
    return await attempt()


def _refusal(problem: MCPError, name: str) -> ToolError:
    details = problem.data if isinstance(problem.data, dict) else {}
    match problem.code:
        case types.CONNECTION_CLOSED:
            message = f"the connection was lost before `{name}` was answered"
            return ToolError.unavailable(message, code=LOST, retryable=False)
        case types.REQUEST_TIMEOUT:
            return ToolError.timeout(f"`{name}` was not answered in time", retryable=False)
        case types.MISSING_REQUIRED_CLIENT_CAPABILITY:
            return _missing_capability(problem.message, details)
        case types.INVALID_PARAMS if "nearest" in details:
            return ToolError.not_found(problem.message, code="unknown_tool", details=details)
        case types.INVALID_PARAMS:
            return ToolError.validation(problem.message, details=details)
    return ToolError.internal(problem.message, code=f"mcp_{abs(problem.code)}", details=details)


def _missing_capability(message: str, data: dict[str, Any]) -> ToolError:
    """Return the error of a call whose handler asks for what this client lacks."""
    required = data.get("requiredCapabilities")
    names = ", ".join(required) if isinstance(required, dict) else ""
    details = {"capability": names, "hint": "pass `callbacks=` to `McpTransport`"}
    return ToolError.unavailable(message, code=MISSING_CAPABILITY, retryable=False, details=details)


def _failure(result: types.CallToolResult) -> ToolError:
    """Return the error in a result; for servers of other vendors, its text."""
    meta: Any = result.meta or {}
    envelope = meta.get(META)
    if isinstance(envelope, dict) and isinstance(envelope.get("error"), dict):
        return ToolError.from_wire(envelope)
    texts = [item.text for item in result.content if isinstance(item, types.TextContent)]
    return ToolError.internal("\n".join(texts) or "the tool failed", code="tool_failed")


def _address(server: object) -> str:
    """Return a readable address of a server: URL or command; empty for anything else."""
    if isinstance(server, str):
        return server
    return server.command if isinstance(server, StdioServerParameters) else ""
