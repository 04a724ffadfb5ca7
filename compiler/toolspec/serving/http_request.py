"""HTTP requests as handlers see them, the proxies before a server, and the end of responses."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address, ip_network
from types import MappingProxyType
from typing import TYPE_CHECKING

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from toolspec.runtime.request import Request
from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from starlette.types import ASGIApp, Receive, Scope, Send

    from toolspec.serving.elicitation import RequestContext

_HIDDEN = frozenset({"authorization", "cookie", "mcp-session-id", "proxy-authorization"})
"""Headers that a handler could forward by accident, and that grant access."""

_OF_PROXIES = frozenset(
    {
        b"cf-connecting-ip",
        b"forwarded",
        b"true-client-ip",
        b"x-client-ip",
        b"x-cluster-client-ip",
        b"x-real-ip",
    }
)
_FORWARDED = b"x-forwarded-"

UNIX = "unix"
"""The name of a proxy, among addresses, that connects to a Unix socket."""

_TRACE = ("traceparent", "tracestate", "baggage")

_RESPONDED = "toolspec.responded"
"""Key of the event in a scope that is set once the response has been written."""


def request_of(ctx: RequestContext) -> Request | None:
    """Return the HTTP request of a call; None on stdio.

    The trace context of the message has precedence over that of the headers.
    """
    http = ctx.request
    if http is None:
        return None
    headers: dict[str, str] = {}
    for name, value in http.headers.items():
        if name not in _HIDDEN:
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
    meta: Any = ctx.meta or {}
    trace = {name: meta.get(name) or headers.get(name) for name in _TRACE}
    return Request(
        headers=MappingProxyType(headers),
        method=http.method,
        address=http.client.host if http.client else "",
        trace={name: value for name, value in trace.items() if isinstance(value, str)},
    )


def responded(ctx: RequestContext) -> asyncio.Event | None:
    """Return the event that is set once the HTTP response of a request has been written."""
    event: asyncio.Event | None = ctx.request.scope.get(_RESPONDED) if ctx.request else None
    return event


class ResponseEnd:
    """Tells calls when their response has been written, as ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, then set its event."""
        event = scope[_RESPONDED] = asyncio.Event()
        try:
            await self._app(scope, receive, send)
        finally:
            event.set()


class ProxyCheck:
    """Takes the client's address from trusted proxies only, as ASGI middleware.

    Headers with which any other client would pretend to be behind a proxy are dropped.
    """

    def __init__(self, app: ASGIApp, proxies: Sequence[str]) -> None:
        self._app = app
        self._networks = [ip_network(proxy, strict=False) for proxy in proxies if proxy != UNIX]
        self._is_unix = UNIX in proxies
        behind: Any = ProxyHeadersMiddleware(app, list(proxies))  # type: ignore[arg-type]  # uvicorn's own types
        self._behind: ASGIApp = behind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request as that of the client behind a trusted proxy, or without proxy headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self._is_proxy(scope.get("client")):
            scope["client"] = scope.get("client") or (UNIX, 0)
            await self._behind(scope, receive, send)
        else:
            headers = scope["headers"]
            scope["headers"] = [pair for pair in headers if not _is_of_proxy(pair[0])]
            await self._app(scope, receive, send)

    def _is_proxy(self, client: Sequence[object] | None) -> bool:
        if not client:
            return self._is_unix
        if not self._networks:
            return False
        try:
            address = ip_address(str(client[0]))
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _is_of_proxy(name: bytes) -> bool:
    return name in _OF_PROXIES or name.startswith(_FORWARDED)


def check_proxies(proxies: Sequence[str]) -> None:
    """Raise ServeError for proxies that are neither addresses nor networks."""
    wrong = []
    for proxy in proxies:
        try:
            if proxy != UNIX:
                ip_network(proxy, strict=False)
        except ValueError:
            wrong.append(f"`{proxy}`")
    if wrong:
        problem = f"no address of a proxy: {', '.join(wrong)}"
        advice = "write an IP address, a network such as `10.0.0.0/8`, or `unix`"
        raise ServeError(problem, (advice,))
