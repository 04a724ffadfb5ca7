"""Handlers of `mail.yaml`, with a verifier of tokens and a provider of credentials."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from typing import Any

import httpx2
from generated.mail import bind
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from toolspec.runtime import Caller

_arrived = threading.Barrier(2)


class Mail:
    async def inbox(self, input: Any, ctx: Any) -> str:
        await asyncio.sleep(0)
        return f"{ctx.caller} reads {ctx.credentials['access_token']}"

    async def send(self, input: Any, ctx: Any) -> bool:
        return True

    async def look(self, input: Any, ctx: Any) -> str:
        token = get_access_token()
        return f"{token.token if token else ''}"


def verify(token: str) -> Caller | AccessToken | None:
    name, _, kind = token.partition("-")
    scopes = {
        "reader": ("mail:read",),
        "sender": ("mail:read", "mail:send"),
        "nothing": (),
        "unknown": None,
    }
    if kind in scopes:
        return Caller(name=name, scopes=scopes[kind])
    match kind:
        case "here" | "elsewhere" | "anywhere" | "expired":
            resources = {"elsewhere": "https://other.example/mcp", "anywhere": None}
            return AccessToken(
                token=token,
                client_id=name,
                scopes=[],
                resource=resources.get(kind, "https://mail.example/mcp"),
                expires_at=1 if kind == "expired" else None,
            )
        case "crash":
            raise LookupError(token)
        case "slow":
            # Returns once two tokens are verified at the same time.
            _arrived.wait(20)
            return Caller(name=name, scopes=())
    return None


def credentials(caller: Any, service: str) -> dict[str, str] | None:
    """Return the credentials of a caller, blocking as a store of secrets would."""
    if caller.name == "crash":
        raise KeyError(caller.token)
    time.sleep(0)
    assert service == "mail"
    return None if caller.name == "stranger" else {"access_token": f"inbox of {caller.name}"}


async def exchange(caller: Any, service: str) -> dict[str, str]:
    """Return credentials in exchange for the caller's token (RFC 8693)."""
    assert caller.token not in repr(caller)
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "subject_token": caller.token,
        "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "audience": service,
    }
    async with httpx2.AsyncClient() as http:
        answer = await http.post(f"{os.environ['ISSUER']}/token", data=form)
    return {"access_token": answer.json()["access_token"]}


bound = bind(Mail(), credentials={"access_token": "operator"})
provided = bind(Mail(), credentials=lambda name: {"access_token": f"own of {name}"})
nothing = None
