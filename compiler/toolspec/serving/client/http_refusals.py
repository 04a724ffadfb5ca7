"""HTTP statuses with which a server refuses requests, as errors; the SDK drops them."""

from __future__ import annotations

import contextlib
import json
from contextvars import ContextVar
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx2

from toolspec.runtime.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator

_RETRYABLE = frozenset({429, 503})
_SESSION = "mcp-session-id"


class HttpRefusal:
    """The HTTP status of one request's last response, if it is a refusal.

    `is_session_gone` is whether the server does not know the session that the request named. It
    answers so in place of running the request.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._status = 0
        self._challenge = ""
        self.is_session_gone = False

    def note(self, response: httpx2.Response) -> None:
        """Remember a response, unless it is that to an answer, which the same context may send."""
        status = response.status_code if response.is_error else 0
        if (status or self._status) and _is_request(response.request):
            self._status = status
            self._challenge = response.headers.get("www-authenticate", "")
            has_session = _SESSION in response.request.headers
            self.is_session_gone = has_session and status == HTTPStatus.NOT_FOUND

    def error(self) -> ToolError | None:
        """Return the error of the last response; None unless it was a refusal."""
        status = self._status
        if not status:
            return None
        phrase = httpx2.codes.get_reason_phrase(status)
        server, answer = f"the server `{self._address}`", f"(HTTP {status} {phrase})"
        code = f"http_{status}"
        if status == HTTPStatus.UNAUTHORIZED:
            return ToolError.auth(f"{server} needs a valid token {answer}", code=code)
        if status == HTTPStatus.FORBIDDEN:
            # RFC 6750, section 3: the challenge names the scopes that the token lacks.
            scopes = self._challenge.partition('scope="')[2].partition('"')[0]
            lack = f": the token lacks `{scopes}`" if scopes else ""
            return ToolError.auth(f"{server} does not allow this{lack} {answer}", code=code)
        if status == HTTPStatus.NOT_FOUND:
            return ToolError.not_found(f"{server} has nothing at this address {answer}", code=code)
        return ToolError.unavailable(
            f"{server} refused the request {answer}", code=code, retryable=status in _RETRYABLE
        )


_current: ContextVar[HttpRefusal | None] = ContextVar("toolspec_http_refusal", default=None)
"""That of the request being sent: the SDK sends it from other tasks, with its caller's context."""


@contextlib.contextmanager
def noted_refusal(address: str) -> Iterator[HttpRefusal]:
    """Yield the refusal of the request that a block sends; the block may send several, one by one."""
    refusal = HttpRefusal(address)
    token = _current.set(refusal)
    try:
        yield refusal
    finally:
        _current.reset(token)


async def note_response(response: httpx2.Response) -> None:
    """Note a response at its own request: a hook of the HTTP client."""
    refusal = _current.get()
    if refusal is not None:
        refusal.note(response)


def _is_request(sent: httpx2.Request) -> bool:
    """Return whether an HTTP request carries a request of JSON-RPC."""
    message = json.loads(sent.content) if sent.method == "POST" else {}
    return "method" in message and "id" in message
