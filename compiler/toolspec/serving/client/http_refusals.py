"""HTTP statuses with which a server refuses requests, as errors; the SDK drops them."""

from __future__ import annotations

from http import HTTPStatus

import httpx2

from toolspec.runtime.errors import ToolError

_RETRYABLE = frozenset({429, 503})


class HttpRefusals:
    """Remembers whether the last response of a server was a refusal."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._status = 0
        self._challenge = ""

    async def note(self, response: httpx2.Response) -> None:
        """Remember a response: a hook of the HTTP client."""
        self._status = response.status_code if response.is_error else 0
        self._challenge = response.headers.get("www-authenticate", "")

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
