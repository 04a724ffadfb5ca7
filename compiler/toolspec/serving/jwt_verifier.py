"""Verification of JSON Web Tokens of one issuer (RFC 9068) by its published keys."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

import jwt
from mcp.server.auth.provider import AccessToken

from toolspec.serving.issuers import VerificationError, checked_issuer, discover, fetch
from toolspec.shared.json_values import as_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    from toolspec.shared.json_values import JsonObject

ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
"""Algorithms with a public and a private key: a server that verifies could not sign."""

_TYPES = frozenset({"", "jwt", "at+jwt", "application/at+jwt"})
_LEEWAY = 30
"""Seconds by which the clocks of issuer and server may differ."""

_KEYS_SECONDS = 600.0
"""Time after which keys are fetched again."""

_OLD_KEYS_SECONDS = 3600.0
"""Time for which keys are used that cannot be fetched again."""

_PAUSE_SECONDS = 10.0
"""Least time between two fetches, whatever tokens name."""

_log = logging.getLogger("toolspec")


class KeySet:
    """The public keys of an issuer, at `url` or where the issuer's metadata says.

    They are fetched at the first token, and again when they are old or a token names another key.
    """

    def __init__(
        self, issuer: str, url: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._issuer = issuer
        self._url = url
        self._clock = clock
        self._keys: list[JsonObject] = []
        self._usable: dict[tuple[str | None, str], jwt.PyJWK | None] = {}
        self._fetched = self._tried = float("-inf")
        self._lock = asyncio.Lock()

    async def key(self, name: str | None, algorithm: str) -> jwt.PyJWK | None:
        """Return the key of a name for an algorithm; without a name, the only one there is.

        Raises VerificationError if the keys cannot be fetched.
        """
        if self._clock() - self._fetched > _KEYS_SECONDS:
            await self._fetch()
        key = self._find(name, algorithm)
        if key is None:
            await self._fetch()
            key = self._find(name, algorithm)
        return key

    async def _fetch(self) -> None:
        """Fetch the keys, unless that was tried a moment ago, or wait for a fetch under way."""
        async with self._lock:
            now = self._clock()
            age = now - self._fetched
            if now - self._tried < _PAUSE_SECONDS:
                if age <= _OLD_KEYS_SECONDS:
                    return
                problem = f"the keys of {self._issuer} could not be fetched a moment ago"
                raise VerificationError(problem)
            self._tried = now
            try:
                url = self._url or await discover(self._issuer, "jwks_uri")
                keys = (await fetch(url)).get("keys")
                if not isinstance(keys, list):
                    raise VerificationError(f"{url} has no list of keys")  # noqa: EM102, TRY003, TRY301 - handled alike
            except VerificationError as problem:
                if age > _OLD_KEYS_SECONDS:
                    raise
                _log.warning("known keys stay in use: %s", problem)
                return
            self._keys = [key for key in keys if isinstance(key, dict)]
            self._usable = {}
            self._fetched = now

    def _find(self, name: str | None, algorithm: str) -> jwt.PyJWK | None:
        if (name, algorithm) in self._usable:
            return self._usable[name, algorithm]
        keys = [
            made
            for key in self._keys
            if (name is None or key.get("kid") == name)
            and key.get("use", "sig") == "sig"
            and key.get("alg", algorithm) == algorithm
            and (made := _made(key, algorithm))
        ]
        key = keys[0] if len(keys) == 1 else None
        if key is not None:
            self._usable[name, algorithm] = key
        return key


def _made(key: JsonObject, algorithm: str) -> jwt.PyJWK | None:
    try:
        return jwt.PyJWK(key, algorithm)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None


class JwtVerifier:
    """Verifies the tokens of an issuer for an audience: signature, times, issuer and audience.

    What a token says about its own key (`jku`, `x5u`, `jwk`) is not read.
    """

    def __init__(
        self,
        *,
        issuer: str,
        audience: str,
        keys_url: str = "",
        algorithms: Collection[str] = ALGORITHMS,
    ) -> None:
        self.issuer = checked_issuer(issuer)
        self._audience = audience
        self._algorithms = ALGORITHMS.intersection(algorithms)
        self._keys = KeySet(issuer, checked_issuer(keys_url) if keys_url else "")

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the access token if it is valid, else None.

        Raises VerificationError if the issuer's keys cannot be fetched.
        """
        try:
            header: dict[str, Any] = jwt.get_unverified_header(token)
        except jwt.PyJWTError:
            return None
        algorithm, name, kind = header.get("alg"), header.get("kid"), header.get("typ", "")
        if not isinstance(algorithm, str) or algorithm not in self._algorithms:
            return None
        if not isinstance(kind, str) or kind.lower() not in _TYPES:
            return None
        key = await self._keys.key(name, algorithm)
        if key is None:
            return None
        try:
            claims = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                issuer=self.issuer,
                audience=self._audience,
                leeway=_LEEWAY,
                options={
                    "require": ["exp", "iss", "aud"],
                    "enforce_minimum_key_length": True,
                },
            )
        except jwt.PyJWTError:
            return None
        return access_token(claims, self.issuer, self._audience)


def access_token(claims: JsonObject, issuer: str, audience: str) -> AccessToken | None:
    """Return the access token that verified claims describe; None if they name nobody."""
    subject, expiry = claims.get("sub"), claims.get("exp")
    clients = (claims.get("client_id"), claims.get("azp"), subject)
    client = next((name for name in clients if isinstance(name, str) and name), None)
    if client is None:
        return None
    scopes = claims.get("scope", claims.get("scp", ""))
    return AccessToken(
        token="",
        client_id=client,
        scopes=scopes.split() if isinstance(scopes, str) else as_texts(scopes),
        expires_at=int(expiry) if isinstance(expiry, (int, float)) else None,
        resource=audience,
        subject=subject if isinstance(subject, str) else None,
        claims={"iss": issuer},
    )
