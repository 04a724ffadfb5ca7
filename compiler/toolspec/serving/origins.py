"""Host names that a server answers to, and pages of other origins that may call it."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import PlainTextResponse, Response

from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_AUTHORITY = r"(\[[0-9A-Fa-f:.]{2,45}\]|[^\s\[\]/@:,?#*\"'\\<>]{1,253})(?::([0-9]{1,5}))?"
_HOST = re.compile(_AUTHORITY, re.ASCII)
_ORIGIN = re.compile(rf"([A-Za-z][A-Za-z0-9+.-]*)://{_AUTHORITY}", re.ASCII)
_PORTS = {"http": 80, "https": 443}

_MOST_PORT = 65535

_METHODS = "GET, POST, DELETE"
_HEADERS = frozenset(
    {
        "accept",
        "authorization",
        "content-type",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
    }
)
_PARAMETER_HEADERS = "mcp-param-"
_EXPOSED = b"mcp-session-id, www-authenticate, retry-after"
_PREFLIGHT_SECONDS = "600"


class Origin(NamedTuple):
    """An origin (RFC 6454) in normal form; the port is that of the scheme where none is written."""

    scheme: str
    name: str
    port: int | None


class OriginCheck:
    """Refuses requests for other hosts and from pages of other origins, as ASGI middleware.

    Without it a page that a browser shows could reach a server on this machine, by a name of its own
    that resolves to it. Pages of the server's own origin and of `origins` may call; to the latter it
    answers preflight requests.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], origins: Iterable[Origin]) -> None:
        self._app = app
        self._names = frozenset(names)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is refused, and pass on any other."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        hosts, origins = header(scope, b"host"), header(scope, b"origin")
        host = parsed_host(hosts[0]) if len(hosts) == 1 else None
        if host is None or host[0] not in self._names:
            text = "this server does not answer to that host name; `--allow-host` adds one\n"
            await PlainTextResponse(text, 421)(scope, receive, send)
            return
        if not origins:
            await self._app(scope, receive, send)
            return
        origin = parsed_origin(origins[0]) if len(origins) == 1 else None
        if origin is None or not (origin in self._origins or _is_own(origin, *host)):
            text = "pages of that origin may not call; `--allow-origin` allows one\n"
            await PlainTextResponse(text, 403, {"vary": "Origin"})(scope, receive, send)
            return
        asked = header(scope, b"access-control-request-method")
        if scope["method"] == "OPTIONS" and asked:
            await _preflight(scope, origins[0])(scope, receive, send)
            return

        async def send_allowed(message: Message) -> None:
            if message["type"] == "http.response.start":
                allowed = [
                    (b"access-control-allow-origin", origins[0].encode("latin-1")),
                    (b"access-control-expose-headers", _EXPOSED),
                    (b"vary", b"Origin"),
                ]
                message = {**message, "headers": [*message.get("headers", ()), *allowed]}
            await send(message)

        await self._app(scope, receive, send_allowed)


def header(scope: Scope, name: bytes) -> Sequence[str]:
    """Return the values of a header, one for each line."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def host_name(text: str) -> str:
    """Return a host name in lower case, an IPv6 address in its short form and in brackets.

    Raises ServeError if it is not a host name.
    """
    address = f"[{text.strip('[]')}]" if text.count(":") > 1 else text
    parsed = parsed_host(address)
    if parsed is None or parsed[1] is not None:
        problem = f"`{text}` is not a host name: write it as in `tools.example`"
        raise ServeError(problem)
    return parsed[0]


def allowed_origin(text: str) -> Origin:
    """Return the origin of `--allow-origin`. Raises ServeError for others than one whole origin."""
    origin = parsed_origin(text)
    if origin is None:
        problem = (
            f"`{text}` is not an origin: write scheme, host and port as in `https://app.example`"
        )
        raise ServeError(problem)
    return origin


@lru_cache(maxsize=256)
def parsed_host(text: str) -> tuple[str, int | None] | None:
    """Return name and port of a `Host` header; None if it is anything else."""
    match = _HOST.fullmatch(text)
    return _authority(*match.groups()) if match else None


@lru_cache(maxsize=256)
def parsed_origin(text: str) -> Origin | None:
    """Return an `Origin` header in normal form; None for `null` and anything else."""
    match = _ORIGIN.fullmatch(text)
    if match is None:
        return None
    scheme, *rest = match.groups()
    authority = _authority(*rest)
    if authority is None:
        return None
    name, port = authority
    return Origin(scheme.lower(), name, port or _PORTS.get(scheme.lower()))


def _authority(name: str, port: str | None) -> tuple[str, int | None] | None:
    try:
        if name.startswith("["):
            name = f"[{IPv6Address(name[1:-1])}]"
    except ValueError:
        return None
    number = int(port) if port else None
    return None if number == 0 or (number or 0) > _MOST_PORT else (name.lower(), number)


def _is_own(origin: Origin, name: str, port: int | None) -> bool:
    """Return whether an origin is that of the server, which may be behind a proxy with TLS."""
    own_port = port or _PORTS.get(origin.scheme)
    return origin.scheme in _PORTS and (origin.name, origin.port) == (name, own_port)


def _preflight(scope: Scope, origin: str) -> Response:
    """Return the answer to a browser that asks whether a page may send a request."""
    lines = header(scope, b"access-control-request-headers")
    names = [item.strip().lower() for line in lines for item in line.split(",")]
    allowed = [name for name in names if name in _HEADERS or name.startswith(_PARAMETER_HEADERS)]
    return Response(
        status_code=204,
        headers={
            "access-control-allow-origin": origin,
            "access-control-allow-methods": _METHODS,
            "access-control-allow-headers": ", ".join(allowed),
            "access-control-max-age": _PREFLIGHT_SECONDS,
            "vary": "Origin",
        },
    )
