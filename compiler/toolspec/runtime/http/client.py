"""HTTP client that checks each address after its name is resolved, and connects to that address."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpcore2

from toolspec.runtime.http.messages import ForbiddenAddressError, NotSentError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Iterable
    from typing import TypeAlias

    from toolspec.runtime.http.messages import Headers

    Address: TypeAlias = IPv4Address | IPv6Address

_NAT64 = ip_network("64:ff9b::/96")
_CONNECT_SECONDS = 10.0
_READ_SECONDS = 300.0
_CONNECTIONS = 100


class PooledClient:
    """Sends HTTP/1.1 requests over pooled connections.

    Knows no cookies, no redirects, and no proxies of the environment. With `allow_private`, servers
    may have private and loopback addresses; link-local ones, which clouds use for metadata, are always
    refused. A pool belongs to the event loop that uses it.
    """

    def __init__(
        self, *, allow_private: bool = False, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        self._backend = _CheckedBackend(allow_private=allow_private)
        self._ssl_context = ssl_context
        self._pools: WeakKeyDictionary[asyncio.AbstractEventLoop, httpcore2.AsyncConnectionPool] = (
            WeakKeyDictionary()
        )

    async def send(self, method: str, url: str, headers: Headers, content: bytes) -> PooledResponse:
        """Return the response as soon as its headers are there.

        Raises OSError if the server cannot be reached or breaks the protocol.
        """
        request = httpcore2.Request(
            method,
            _parsed(url),
            headers=[(name.encode("ascii"), value.encode("ascii")) for name, value in headers],
            content=content,
            extensions={"timeout": {"connect": _CONNECT_SECONDS, "read": _READ_SECONDS}},
        )
        request.headers = _complete(request, content)
        try:
            response = await self._pool().handle_async_request(request)
        except _FAILURES as problem:
            raise _failure(problem) from problem
        return PooledResponse(response)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.aclose()

    def _pool(self) -> httpcore2.AsyncConnectionPool:
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            self._pools[loop] = httpcore2.AsyncConnectionPool(
                ssl_context=self._ssl_context,
                max_connections=_CONNECTIONS,
                network_backend=self._backend,
            )
        return self._pools[loop]


class PooledResponse:
    """A response whose body is read from its connection."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response
        self.status = response.status
        self.headers = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers
        ]

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives. Raises OSError if it ends early."""
        try:
            async for chunk in self._response.aiter_stream():
                yield chunk
        except _FAILURES as problem:
            raise _failure(problem) from problem

    async def aclose(self) -> None:
        """Release the connection."""
        await self._response.aclose()


class _CheckedBackend(httpcore2.AnyIOBackend):
    """Resolves a name once, and connects to an address that may be connected to."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature of the base class
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Return a connection. TLS still checks the name."""
        problem: Exception = ForbiddenAddressError(f"`{host}` has no public address")
        for address in await _resolved(host, port):
            if not may_connect(address, allow_private=self._allow_private):
                continue
            connecting = super().connect_tcp(
                str(address), port, timeout, local_address, socket_options
            )
            try:
                # In a task of its own: anyio cancels the task that connects, and the runtime would
                # take that for the end of the call.
                return await asyncio.ensure_future(connecting)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as failed:
                problem = failed
        raise problem


def may_connect(address: Address, *, allow_private: bool) -> bool:
    """Return whether a client may connect to an address; one inside of an IPv6 address counts too."""
    inner = _inner(address)
    if inner is not None:
        return may_connect(inner, allow_private=allow_private)
    if address.is_link_local or address.is_multicast or address.is_unspecified:
        return False
    if address.is_loopback or address.is_private:
        return allow_private
    return address.is_global


def _inner(address: Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for, if any."""
    if isinstance(address, IPv4Address):
        return None
    teredo = address.teredo[1] if address.teredo else None
    mapped = address.ipv4_mapped or address.sixtofour or teredo
    if mapped is None and address in _NAT64:
        mapped = IPv4Address(int(address) & 0xFFFFFFFF)
    return mapped


async def _resolved(host: str, port: int) -> list[Address]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    texts = dict.fromkeys(str(sockaddr[0]).partition("%")[0] for *_, sockaddr in found)
    return [ip_address(text) for text in texts]


_FAILURES = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.UnsupportedProtocol,
)


def _failure(problem: Exception) -> OSError:
    """Return a failure of the library as OSError, without the texts of a request."""
    if isinstance(problem, (httpcore2.ConnectError, httpcore2.ConnectTimeout)):
        return NotSentError("the server cannot be reached")
    if isinstance(problem, httpcore2.TimeoutException):
        return TimeoutError("the server did not answer in time")
    return ConnectionError("the connection to the server failed")


def _parsed(url: str) -> httpcore2.URL:
    """Return a URL with its whole path, which the library cuts at a `;` in the last segment."""
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return httpcore2.URL(
        scheme=parts.scheme, host=parts.hostname or "", port=parts.port, target=target
    )


def _complete(request: httpcore2.Request, content: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers with those of every request."""
    url = request.url
    default = {b"http": 80, b"https": 443}[url.scheme]
    host = b"[%b]" % url.host if b":" in url.host else url.host
    if url.port not in (None, default):
        host = b"%b:%d" % (host, url.port)
    headers = [(b"Host", host), *request.headers]
    if content or request.method not in (b"GET", b"HEAD", b"OPTIONS", b"DELETE"):
        headers.append((b"Content-Length", b"%d" % len(content)))
    return headers
