"""Verification of tokens by asking their issuer (RFC 7662)."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.serving.issuers import checked_issuer, discover, fetch
from toolspec.serving.jwt_verifier import access_token

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.auth.provider import AccessToken

    from toolspec.shared.json_values import JsonObject

_KEPT_SECONDS = 60.0
"""Time for which an answer is used again: so long a revoked token may still be accepted."""

_MOST_KEPT = 10_000


class IntrospectionVerifier:
    """Asks an issuer about each token, and keeps good answers shortly.

    `client` is the id and the secret of a client of the issuer, in whose name it is asked.
    Answers are kept under the digest of their token and never beyond its expiry. Whatever the
    issuer does not state clearly counts against a token.
    """

    def __init__(
        self,
        *,
        issuer: str,
        audience: str,
        client: tuple[str, str],
        url: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.issuer = checked_issuer(issuer)
        self._audience = audience
        self._client = client
        self._url = checked_issuer(url) if url else ""
        self._clock = clock
        self._kept: dict[bytes, tuple[float, AccessToken]] = {}
        """Accepted tokens and when to ask again, by digest; the oldest first."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the access token if it is valid, else None.

        Raises VerificationError if the issuer gives no answer.
        """
        digest = sha256(token.encode()).digest()
        end, accepted = self._kept.get(digest, (0.0, None))
        if accepted is not None and self._clock() < end:
            return accepted
        self._kept.pop(digest, None)
        if not self._url:
            self._url = await discover(self.issuer, "introspection_endpoint")
        form = {"token": token, "token_type_hint": "access_token"}
        claims = await fetch(self._url, form, self._client)
        accepted = self._accepted(claims)
        if accepted is not None:
            end = self._clock() + _KEPT_SECONDS
            if accepted.expires_at is not None:
                end = min(end, accepted.expires_at)
            while len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[digest] = end, accepted
        return accepted

    def _accepted(self, claims: JsonObject) -> AccessToken | None:
        now = self._clock()
        audiences = claims.get("aud")
        audiences = audiences if isinstance(audiences, list) else [audiences]
        expiry, start = claims.get("exp", now + 1), claims.get("nbf", now)
        if (
            claims.get("active") is not True
            or self._audience not in audiences
            or claims.get("iss", self.issuer) != self.issuer
            or str(claims.get("token_type", "bearer")).lower() not in ("bearer", "access_token")
            or not isinstance(expiry, (int, float))
            or not isinstance(start, (int, float))
            or not start <= now < expiry
        ):
            return None
        return access_token(claims, self.issuer, self._audience)
