"""A client that signs in by itself: it finds the issuer, gets a token, and later one for more."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from issuer import Issuer
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from served import LEGACY, MODERN, connected, http, make_handled

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    issuer = Issuer()
    yield issuer
    issuer.server.shutdown()
    issuer.server.server_close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, issuer: Issuer) -> Iterator[str]:
    folder = make_handled(tmp_path_factory.mktemp("mail") / "project", HERE / "mail.yaml")
    options = ("--verifier", "jwt", "--issuer", issuer.url)
    with http(folder, "--handlers", "app:provided", *options) as address:
        yield address


class Wallet:
    """Keeps the tokens of a client."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    async def get_tokens(self) -> Any:
        return self.kept.get("tokens")

    async def set_tokens(self, tokens: Any) -> None:
        self.kept["tokens"] = tokens

    async def get_client_info(self) -> Any:
        return self.kept.get("client")

    async def set_client_info(self, client_info: Any) -> None:
        self.kept["client"] = client_info


@asynccontextmanager
async def transport(address: str, issuer: Issuer) -> AsyncIterator[Any]:
    """Yield streams of a client whose user grants reading at first, and then all that is asked."""
    states: list[str] = []

    async def redirect(url: str) -> None:
        granted = "mail:read" if not issuer.asked else "mail:read mail:all"
        states.append(issuer.authorize(url, granted))

    async def callback() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code="code", state=states[-1])

    metadata = OAuthClientMetadata.model_validate(
        {"redirect_uris": ["http://127.0.0.1:1/callback"], "client_name": "test"}
    )
    provider = OAuthClientProvider(address, metadata, Wallet(), redirect, callback)
    async with (
        httpx2.AsyncClient(auth=provider) as client,
        streamable_http_client(address, http_client=client) as streams,
    ):
        yield streams


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_client_signs_in_and_later_for_more(address: str, issuer: Issuer, mode: str) -> None:
    issuer.asked.clear()
    with connected(transport(address, issuer), mode) as client:
        assert "reads own of" in client.call("mail_inbox").content[0].text
        assert len(issuer.asked) == 1
        assert not client.call("mail_send").is_error
    first, second = issuer.asked
    assert (first["resource"], second["resource"]) == (address, address)
    assert first["scope"] == "mail:all mail:read mail:send"
    assert set(second["scope"].split()) >= {"mail:read", "mail:all"}
