"""Credentials of each caller, from a function of the operator."""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING

from mcp.server.auth.middleware.auth_context import get_access_token

from toolspec.runtime.errors import ToolError
from toolspec.runtime.invocation import awaitable
from toolspec.runtime.record import Record
from toolspec.serving.errors import ServeError
from toolspec.serving.loading import find_object
from toolspec.serving.verifiers import caller_of, summary_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolspec.runtime.service import CredentialsProvider

EXAMPLE = "app:credentials"

BEARER: ContextVar[str] = ContextVar("toolspec_bearer", default="")
"""The token of the request, where credentials may be exchanged for it."""

_log = logging.getLogger("toolspec")


class TokenCaller(Record):
    """A caller whose token was verified, as a function of credentials sees it.

    `subject` is the user, if the verifier knows one. `token` is for an exchange (RFC 8693), not for
    the service: it was issued for this server.
    """

    name: str
    subject: str | None = None
    scopes: tuple[str, ...] = ()
    token: str = ""

    def __repr__(self) -> str:
        """Return the fields without the token."""
        return f"TokenCaller(name={self.name!r}, subject={self.subject!r}, scopes={self.scopes!r})"


class CallerCredentials:
    """Gets the credentials of a caller for a service from the operator's function, at each call.

    The function takes the caller (None if nobody checks callers) and the name of the service, and
    of the instance if it has instances. It returns credentials or None; it may be async. A plain
    function runs in a thread, because it may ask another server. Nothing is kept here.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = awaitable(function)

    def of(self, service: str) -> CredentialsProvider:
        """Return the provider of a service's credentials."""

        async def provider(_: str | None, *instance: str) -> object:
            arguments = (_caller(), service, *instance)
            try:
                return await self._function(*arguments)
            except ToolError:
                raise
            except Exception as problem:  # noqa: BLE001 - the user's code
                # Its text could quote credentials.
                _log.error("the credentials for `%s` failed: %s", service, summary_of(problem))
            message = f"the credentials for `{service}` cannot be had at the moment"
            raise ToolError.unavailable(message, code="credentials_unavailable")

        return provider  # type: ignore[return-value]  # the runtime validates what it returns


def find_credentials(reference: str) -> CallerCredentials:
    """Return the function of `--credentials`. Raises ServeError for other objects."""
    function = find_object(reference, EXAMPLE)
    if callable(function):
        return CallerCredentials(function)
    text = f"`{reference}` is of type {type(function).__name__} and returns no credentials"
    raise ServeError(text, ("name a function of a caller and the name of a service",))


def _caller() -> TokenCaller | None:
    token = get_access_token()
    if token is None:
        return None
    return TokenCaller(
        name=caller_of(token),
        subject=token.subject,
        scopes=tuple(token.scopes),
        token=BEARER.get(),
    )
