"""Authorization of HTTP requests: bearer tokens, scopes, and metadata for clients (RFC 6750, 9728)."""

from __future__ import annotations

import logging
import re
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.authentication import AuthCredentials
from starlette.responses import JSONResponse
from starlette.routing import Route

from toolspec.runtime.controls.access import missing_scopes
from toolspec.runtime.errors import ToolError
from toolspec.serving.bodies import MESSAGE
from toolspec.serving.credentials import BEARER
from toolspec.serving.issuers import VerificationError
from toolspec.serving.origins import header
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp.server.auth.provider import AccessToken
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from toolspec.runtime.registry import Registry
    from toolspec.serving.verifiers import Verifier
    from toolspec.shared.json_values import JsonObject

WELL_KNOWN = "/.well-known/oauth-protected-resource"

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*) *", re.ASCII | re.IGNORECASE)
_SCOPE = re.compile(r"[\x21\x23-\x5B\x5D-\x7E]+")
_RETRY_SECONDS = "5"

_log = logging.getLogger("toolspec")


@dataclass(frozen=True, slots=True)
class ProtectedResource:
    """The server as clients that need a token see it: its URL, issuers and scopes."""

    url: str
    name: str
    issuers: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()

    @property
    def metadata(self) -> JsonObject:
        """Return the metadata document (RFC 9728)."""
        return {
            "resource": self.url,
            "resource_name": self.name,
            **({"authorization_servers": list(self.issuers)} if self.issuers else {}),
            "scopes_supported": list(self.scopes),
            "bearer_methods_supported": ["header"],
        }

    @property
    def metadata_url(self) -> str:
        """Return the URL of the document, which has the path of the resource at its end."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{parts.path.rstrip('/')}"

    def routes(self, path: str) -> Iterator[Route]:
        """Yield the routes of the document, also for a resource that is served at `path`."""

        async def answer(_: Request) -> Response:
            headers = {"cache-control": "max-age=3600", "vary": "Origin"}
            return JSONResponse(self.metadata, headers=headers)

        for each in dict.fromkeys(("", path, urlsplit(self.url).path.rstrip("/"))):
            yield Route(f"{WELL_KNOWN}{each}", answer, methods=["GET"])

    def challenge(self, status: int, error: str = "", text: str = "", scope: str = "") -> Response:
        """Return a refusal that says where to get a token and for what (RFC 6750)."""
        parts = {
            "error": error,
            "error_description": text,
            "scope": scope,
            "resource_metadata": self.metadata_url,
        }
        stated = ", ".join(f'{name}="{value}"' for name, value in parts.items() if value)
        body = {"error": error or "unauthorized", "error_description": text}
        return JSONResponse(body, status, {"www-authenticate": f"Bearer {stated}"})


class Authentication:
    """Requires a valid bearer token of every request, as ASGI middleware.

    The metadata for clients is for everybody. What comes after knows the caller, and not the token,
    except for the function of credentials if there is one (`is_exchanged`).
    """

    def __init__(
        self,
        app: ASGIApp,
        verifier: Verifier,
        resource: ProtectedResource,
        *,
        is_exchanged: bool = False,
    ) -> None:
        self._app = app
        self._is_exchanged = is_exchanged
        self._verifier = verifier
        self._resource = resource

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is refused, and pass on any other."""
        if scope["type"] != "http" or scope["path"].startswith(WELL_KNOWN):
            await self._app(scope, receive, send)
            return
        lines = header(scope, b"authorization")
        match = _BEARER.fullmatch(lines[0]) if len(lines) == 1 else None
        if match is None:
            is_broken = len(lines) > 1 or any(line.lower().startswith("bearer") for line in lines)
            problem = ("invalid_request", "send one bearer token") if is_broken else ()
            refusal = self._resource.challenge(400 if is_broken else 401, *problem)
            await refusal(scope, receive, send)
            return
        try:
            token = await self._verifier.verify_token(match[1])
        except VerificationError as problem:
            _log.error("%s", problem)
            headers = {"retry-after": _RETRY_SECONDS}
            body = {"error": "temporarily_unavailable"}
            await JSONResponse(body, 503, headers)(scope, receive, send)
            return
        if token is None or (token.expires_at is not None and token.expires_at <= time.time()):
            refusal = self._resource.challenge(401, "invalid_token", "the token is not valid here")
            await refusal(scope, receive, send)
            return
        user = AuthenticatedUser(token.model_copy(update={"token": ""}))
        before = auth_context_var.set(user)
        bearer = BEARER.set(match[1] if self._is_exchanged else "")
        try:
            known = {**scope, "user": user, "auth": AuthCredentials(user.scopes)}
            known["headers"] = [item for item in scope["headers"] if item[0] != b"authorization"]
            await self._app(known, receive, send)
        finally:
            auth_context_var.reset(before)
            BEARER.reset(bearer)


class ScopeCheck:
    """Requires the scopes of the tool that a request calls, as ASGI middleware.

    The SDK's own middleware requires one set of scopes of every request.
    """

    def __init__(self, app: ASGIApp, registry: Registry, resource: ProtectedResource) -> None:
        self._app = app
        self._registry = registry
        self._resource = resource

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call whose scopes are missing with 403, and pass on any other request."""
        user, message = scope.get("user"), scope.get(MESSAGE)
        if isinstance(user, AuthenticatedUser) and (name := _called(message)):
            needed = self._needed(name, user.access_token)
            if needed:
                text = "the called tool needs scopes that the token lacks"
                challenge = self._resource.challenge(
                    403, "insufficient_scope", text, " ".join(filter(_SCOPE.fullmatch, needed))
                )
                await challenge(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _needed(self, name: str, token: AccessToken) -> Iterable[str]:
        """Return all scopes that a call takes if the token lacks one, none otherwise."""
        try:
            tool = self._registry.definition(name)
        except ToolError:
            return ()  # the call is answered with the nearest names
        scopes = tuple(token.scopes)
        if not missing_scopes(tool, scopes):
            return ()
        return dict.fromkeys(
            next((scope for scope in group if scope in scopes), group[0]) for group in tool.scopes
        )


def _called(message: object) -> str:
    """Return the name of the tool that a message calls; empty for any other message."""
    if not isinstance(message, dict) or message.get("method") != "tools/call":
        return ""
    parameters = message.get("params")
    name = parameters.get("name") if isinstance(parameters, dict) else None
    return name if isinstance(name, str) else ""
