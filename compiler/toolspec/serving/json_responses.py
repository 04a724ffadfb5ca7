"""JSON responses to requests of 2026 that have no message before their result.

The SDK has two forms of a response. A stream carries messages and pings, and ends a request whose client
leaves, at the cost of two tasks for each request. JSON is cheaper and does none of that. Here a request
that can send no message gets JSON, is cancelled when its client leaves, and is answered by a stream
of pings after all if it takes long.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import LOG_LEVEL_META_KEY

from toolspec.serving.bodies import MESSAGE
from toolspec.serving.connection_limits import CONNECTION
from toolspec.serving.origins import header
from toolspec.serving.tool_list import is_modern

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from toolspec.serving.connection_limits import LimitedConnection

PING_SECONDS = 15.0
"""As in the streams of the SDK: less than proxies wait for a silent server."""

_PING = b": ping\r\n\r\n"
_STREAM = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]

_is_json: ContextVar[bool] = ContextVar("toolspec_is_json", default=False)


class SessionManager(StreamableHTTPSessionManager):
    """The SDK's manager, whose form of a response is that of the current request."""

    @property
    def json_response(self) -> bool:
        """Whether the response is JSON."""
        return _is_json.get()

    @json_response.setter
    def json_response(self, value: bool) -> None:
        """Ignore the form for all requests, which the constructor sets."""


class JsonResponses:
    """Chooses the form of each response, as ASGI middleware.

    Connections of another ASGI server say nothing when they are lost; there the SDK streams.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; cancel it if its client leaves."""
        connection: LimitedConnection | None = scope.get("state", {}).get(CONNECTION)
        if connection is None or not _has_result_only(scope):
            await self._app(scope, receive, send)
            return
        _is_json.set(True)  # in the task of this request
        response = _Response(send)
        try:
            with anyio.CancelScope() as block:
                connection.on_lost = block.cancel
                await self._app(scope, receive, response.send)
        finally:
            connection.on_lost = None
            response.stop_pings()


def _has_result_only(scope: Scope) -> bool:
    """Return whether a request gets no message before its result: no progress, no log, no list."""
    message = scope.get(MESSAGE)
    if not isinstance(message, dict) or message.get("method") == "subscriptions/listen":
        return False
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or "progressToken" in meta or LOG_LEVEL_META_KEY in meta:
        return False
    versions, accepted = header(scope, b"mcp-protocol-version"), header(scope, b"accept")
    takes_streams = any("text/event-stream" in line for line in accepted)
    return takes_streams and len(versions) == 1 and is_modern(versions[0])


class _Response:
    """A response that becomes a stream of pings if it has not begun in time."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._timer = asyncio.get_running_loop().call_later(PING_SECONDS, self._start_pings)
        self._pings: asyncio.Task[None] | None = None

    async def send(self, message: Message) -> None:
        """Send a part of the response, as the stream's last message if there is a stream."""
        self._timer.cancel()
        if self._pings is None:
            await self._send(message)
        elif message["type"] == "http.response.body":
            self._pings.cancel()
            event = b"event: message\r\ndata: %b\r\n\r\n" % message["body"]
            await self._send({"type": "http.response.body", "body": event})

    def stop_pings(self) -> None:
        """Send nothing from now on."""
        self._timer.cancel()
        if self._pings is not None:
            self._pings.cancel()

    def _start_pings(self) -> None:
        self._pings = asyncio.ensure_future(self._ping())

    async def _ping(self) -> None:
        await self._send({"type": "http.response.start", "status": 200, "headers": _STREAM})
        while True:
            await self._send({"type": "http.response.body", "body": _PING, "more_body": True})
            await asyncio.sleep(PING_SECONDS)
