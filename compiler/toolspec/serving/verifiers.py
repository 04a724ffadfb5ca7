"""Verification of bearer tokens by a user function, in the form of the SDK."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from urllib.parse import quote

from mcp.server.auth.provider import AccessToken, principal_components

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.controls.access import Caller
from toolspec.serving.errors import ServeError
from toolspec.serving.loading import find_object, foreign_code

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = "app:verify"

_log = logging.getLogger("toolspec")


class OpenToken(AccessToken):
    """The token of a caller whose scopes are unknown."""


class Verifier:
    """Verifies tokens with the user's function.

    The function takes a token and returns None if it is invalid, else a `Caller` or the SDK's
    `AccessToken`; it may be async.
    """

    def __init__(self, verify: Callable[[str], object]) -> None:
        self._verify = verify

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the access token if it is valid, else None."""
        caller = await awaited(self._verify(token))
        if isinstance(caller, Caller):
            if caller.scopes is None:
                return OpenToken(token=token, client_id=caller.name, scopes=[])
            return AccessToken(token=token, client_id=caller.name, scopes=list(caller.scopes))
        if caller is None or isinstance(caller, AccessToken):
            return caller
        _log.error(
            "the token verifier returned a value of type %s, which counts as None: it must return a "
            "Caller, an AccessToken, or None for an invalid token",
            type(caller).__name__,
        )
        return None


def find_verifier(reference: str) -> Verifier:
    """Return the verifier for `module:object`: a function, or an object with `verify_token`.

    Raises ServeError for other objects.
    """
    verifier = find_object(reference, EXAMPLE)
    with foreign_code(f"`{reference}` cannot be read"):
        verify = getattr(verifier, "verify_token", verifier)
    if callable(verify):
        return Verifier(verify)
    text = f"`{reference}` is of type {type(verifier).__name__} and verifies no token"
    advice = "name a function of a token, or an object with `verify_token`"
    raise ServeError(text, (advice,))


def caller_of(token: AccessToken) -> str:
    """Return the name of a token's caller: the client, and its subject if there is one.

    Keys, approvals and reverts are separate per caller, so users of one client are distinct.
    """
    client, issuer, subject = principal_components(token)
    if subject is None:
        return client
    return "/".join(quote(part or "", safe="") for part in (client, issuer, subject))


def scopes_of(token: AccessToken) -> tuple[str, ...] | None:
    """Return the scopes of a token's caller; None if unknown."""
    return None if isinstance(token, OpenToken) else tuple(token.scopes)
