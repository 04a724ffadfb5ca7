"""Bearer tokens: a function of the user's that knows them, as the SDK asks for it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from urllib.parse import quote

from mcp.server.auth.provider import AccessToken, principal_components

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.controls.access import Caller
from toolspec.serving.faults import ServeError
from toolspec.serving.loading import foreign_code
from toolspec.serving.references import find_object

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = "app:verify"

_log = logging.getLogger("toolspec")


class OpenToken(AccessToken):
    """The token of a caller whose scopes nobody knows."""


class Verifier:
    """Holds tokens against the user's function.

    That takes a token and returns None for one that is not good, else a `Caller` or the SDK's
    `AccessToken`; it may be async.
    """

    def __init__(self, verify: Callable[[str], object]) -> None:
        self._verify = verify

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return who a token stands for; None for nobody."""
        found = await awaited(self._verify(token))
        if isinstance(found, Caller):
            if found.scopes is None:
                return OpenToken(token=token, client_id=found.name, scopes=[])
            return AccessToken(token=token, client_id=found.name, scopes=list(found.scopes))
        if found is None or isinstance(found, AccessToken):
            return found
        _log.error(
            "the verifier of tokens returned a value of type %s: it returns a Caller, an AccessToken, "
            "or None for nobody, and that is what this one was taken for",
            type(found).__name__,
        )
        return None


def find_verifier(reference: str) -> Verifier:
    """Return the verifier that `module:object` names: a function, or an object with `verify_token`.

    Complains (ServeError) where it is neither.
    """
    found = find_object(reference, EXAMPLE)
    with foreign_code(f"`{reference}` cannot be read"):
        verify = getattr(found, "verify_token", found)
    if callable(verify):
        return Verifier(verify)
    text = f"`{reference}` is of type {type(found).__name__} and verifies no token"
    advice = "name a function of a token, or an object with `verify_token`"
    raise ServeError(text, (advice,))


def caller_of(token: AccessToken) -> str:
    """Return the name of a token's caller: the client, and whoever it acts for where the token says so.

    Keys, approvals and reverts are each caller's own: two people behind one client are two.
    """
    client, issuer, subject = principal_components(token)
    if subject is None:
        return client
    return "/".join(quote(part or "", safe="") for part in (client, issuer, subject))


def scopes_of(token: AccessToken) -> tuple[str, ...] | None:
    """Return the scopes of a token's caller; None where nobody knows them."""
    return None if isinstance(token, OpenToken) else tuple(token.scopes)
