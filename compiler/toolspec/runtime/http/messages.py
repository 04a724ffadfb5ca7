"""Requests and responses of HTTP, and the protocol of clients that send them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from toolspec.runtime.record import Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from typing import TypeAlias

    Headers: TypeAlias = Sequence[tuple[str, str]]


class ForbiddenAddressError(OSError):
    """Raised by a client for a server whose address may not be connected to."""


class NotSentError(ConnectionError):
    """Raised by a client if it could not connect, so that nothing of a request was sent."""


class HttpResponse(Protocol):
    """A response whose body is read as it arrives, still encoded as `Content-Encoding` says."""

    @property
    def status(self) -> int:
        """The status code."""

    @property
    def headers(self) -> Headers:
        """The headers in the order in which they came."""

    def chunks(self) -> AsyncIterator[bytes]:
        """Return the body in pieces."""

    async def aclose(self) -> None:
        """Release the connection, also before the body has ended."""


class HttpClient(Protocol):
    """Sends requests as they are: without cookies, redirects or credentials of its own."""

    async def send(self, method: str, url: str, headers: Headers, content: bytes) -> HttpResponse:
        """Return the response as soon as its headers are there. Raises OSError on failure."""


class HttpRequest(Record):
    """A request with its credentials; `secrets` are texts that no message may contain."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    content: bytes = b""
    secrets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the fields without values that may be secret."""
        names = tuple(name for name, _ in self.headers)
        return f"HttpRequest(method={self.method!r}, url={self.url.partition('?')[0]!r}, headers={names!r})"
