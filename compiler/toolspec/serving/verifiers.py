"""Verification of bearer tokens by a user function, in the form of the SDK."""

from __future__ import annotations

import asyncio
import logging
import os
import traceback
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from mcp.server.auth.provider import AccessToken, principal_components

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.callables import kind_of
from toolspec.runtime.controls.access import Caller
from toolspec.runtime.invocation import in_thread
from toolspec.runtime.settings import ConfigurationError
from toolspec.serving.environment import variable
from toolspec.serving.errors import ServeError
from toolspec.serving.issuers import VerificationError
from toolspec.serving.loading import find_object, foreign_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolspec.serving.options import Options

EXAMPLE = "app:verify"

_CLIENT = ("TOOLSPEC_INTROSPECTION_CLIENT_ID", "TOOLSPEC_INTROSPECTION_CLIENT_SECRET")
"""Environment variables of the client in whose name an issuer is asked about tokens."""

_SECONDS = 10.0
"""Time for the verification of one token."""

_THREADS = 64
"""Maximum number of threads that verify tokens."""

_log = logging.getLogger("toolspec")


class Verifier:
    """Verifies tokens with the user's function.

    The function takes a token and returns None if it is invalid, else a `Caller` or the SDK's
    `AccessToken`; it may be async. A `Caller` whose scopes it does not state has none. A plain function runs in a thread, because it may ask another
    server. An `AccessToken` has to be for `audience`. `issuers` are the authorization servers.
    """

    def __init__(
        self, verify: Callable[[str], Any], audience: str = "", issuers: tuple[str, ...] = ()
    ) -> None:
        self.issuers = issuers
        self._verify = verify
        self._is_plain = kind_of(verify) == "plain"
        self._audience = audience
        self._free = asyncio.Semaphore(_THREADS)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the access token if it is valid, else None.

        Raises VerificationError if the function fails or takes too long. No message and no log
        line has text of the function's exception, which may quote the token.
        """
        try:
            async with asyncio.timeout(_SECONDS):
                caller = await self._answer(token)
        except VerificationError:
            raise
        except TimeoutError:
            text = f"the token verifier gave no answer within {_SECONDS:g} seconds"
            raise VerificationError(text) from None
        except Exception as problem:  # noqa: BLE001 - the user's code
            raise VerificationError(f"the token verifier failed: {summary_of(problem)}") from None  # noqa: EM102, TRY003 - one place
        if isinstance(caller, Caller):
            scopes = list(caller.scopes or ())
            return AccessToken(token=token, client_id=caller.name, scopes=scopes)
        if isinstance(caller, AccessToken):
            return caller if self._is_audience(caller.resource) else None
        if caller is not None:
            _log.error(
                "the token verifier returned a value of type %s, which counts as None: it must "
                "return a Caller, an AccessToken, or None for an invalid token",
                type(caller).__name__,
            )
        return None

    async def _answer(self, token: str) -> object:
        if not self._is_plain:
            return await awaited(self._verify(token))
        await self._free.acquire()
        future = in_thread(self._verify, token)
        future.add_done_callback(self._ended)
        return await awaited(await asyncio.shield(future))

    def _ended(self, future: asyncio.Future[object]) -> None:
        """Free the place of a thread, which may end long after its request."""
        self._free.release()
        if not future.cancelled():
            future.exception()  # counts as retrieved

    def _is_audience(self, resource: str | None) -> bool:
        if resource and same_url(resource, self._audience):
            return True
        _log.warning(
            "a token for the resource %s is refused: the audience of this server is %s",
            resource,
            self._audience,
        )
        return False


def same_url(first: str, second: str) -> bool:
    """Return whether two audiences are equal, apart from a slash at the end."""
    return first.removesuffix("/") == second.removesuffix("/")


def summary_of(problem: BaseException) -> str:
    """Return the type of an exception and the line that raised it, without its text."""
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(problem).__name__}{where}"


def find_verifier(options: Options, audience: str) -> Verifier:
    """Return the verifier of a server: one that comes with it, or `module:object`.

    The object is a function, or has `verify_token`. Raises ServeError for other objects.
    """
    reference = options.verifier
    if reference in ("jwt", "introspection"):
        return _ready_made(options, audience)
    verifier = find_object(reference, EXAMPLE)
    with foreign_code(f"`{reference}` cannot be read"):
        verify = getattr(verifier, "verify_token", verifier)
        issuer = getattr(verifier, "issuer", "")
    if callable(verify):
        return Verifier(verify, audience, (issuer,) if isinstance(issuer, str) and issuer else ())
    text = f"`{reference}` is of type {type(verifier).__name__} and verifies no token"
    advice = "name a function of a token, or an object with `verify_token`"
    raise ServeError(text, (advice,))


def _ready_made(options: Options, audience: str) -> Verifier:
    """Return a verifier that comes with the server. Raises ServeError if it lacks something."""
    if len(options.issuers) != 1:
        problem = f"`--verifier {options.verifier}` needs one `--issuer URL`"
        raise ServeError(problem)
    (issuer,) = options.issuers
    if options.verifier == "jwt":
        from toolspec.serving.jwt_verifier import JwtVerifier

        return Verifier(JwtVerifier(issuer=issuer, audience=audience).verify_token, audience)
    from toolspec.serving.introspection import IntrospectionVerifier

    try:
        client_id, client_secret = (variable(os.environ, name) for name in _CLIENT)
    except ConfigurationError as problem:
        heading = "the client for introspection is not usable"
        raise ServeError(heading, problem.problems) from problem
    if not (client_id and client_secret):
        heading = "`--verifier introspection` asks the issuer in the name of a client:"
        raise ServeError(heading, [f"set `{name}`, or `{name}_FILE`" for name in _CLIENT])
    client = (client_id, client_secret)
    verifier = IntrospectionVerifier(issuer=issuer, audience=audience, client=client)
    return Verifier(verifier.verify_token, audience)


def caller_of(token: AccessToken) -> str:
    """Return the name of a token's caller: the client, and its subject if there is one.

    Keys, approvals and reverts are separate per caller, so users of one client are distinct.
    """
    client, issuer, subject = principal_components(token)
    if subject is None:
        return client
    return "/".join(quote(part or "", safe="") for part in (client, issuer, subject))
