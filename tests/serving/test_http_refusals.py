"""A server that refuses by an HTTP status is no unreachable one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
import pytest
from served import http, make_handled
from toolspec.runtime import ToolError
from toolspec.serving.client import McpTransport
from toolspec.serving.client.http_refusals import HttpRefusals

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("refusals") / "project", HERE / "ledger.yaml")


def refused(address: str, **options: str) -> ToolError:
    async def talk() -> ToolError:
        async with McpTransport(address, **options) as server:
            with pytest.raises(ToolError) as failed:
                await server.tools()
        return failed.value

    try:
        return asyncio.run(talk())
    except ToolError as error:  # at the handshake
        return error


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_a_server_refuses_is_said(ledger: Path, mode: str) -> None:
    with http(ledger, "--handlers", "app:Ledger", "--verifier", "app:verify") as address:
        error = refused(address, mode=mode)
        assert (error.category, error.code, error.retryable) == ("auth", "http_401", False)
        expected = f"the server `{address}` needs a valid token (HTTP 401 Unauthorized)"
        assert error.message == expected
        error = refused(f"{address}/elsewhere", mode=mode, token="ann")  # noqa: S106 - the test server takes any
        assert (error.category, error.code, error.retryable) == ("not_found", "http_404", False)


CHALLENGE = 'Bearer error="insufficient_scope", scope="ledger:write"'


@pytest.mark.parametrize(
    ("status", "challenge", "category", "message", "is_retryable"),
    [
        (403, CHALLENGE, "auth", "the token lacks `ledger:write` (HTTP 403", False),
        (403, "", "auth", "does not allow this (HTTP 403 Forbidden)", False),
        (500, "", "unavailable", "refused the request (HTTP 500", False),
        (503, "", "unavailable", "refused the request (HTTP 503", True),
        (499, "", "unavailable", "refused the request (HTTP 499", False),
    ],
)
def test_each_status_has_its_category(
    status: int, challenge: str, category: str, message: str, is_retryable: bool
) -> None:
    refusals = HttpRefusals("http://here/mcp")
    asyncio.run(refusals.note(httpx2.Response(status, headers={"WWW-Authenticate": challenge})))
    error = refusals.error()
    assert error is not None
    assert (error.category, error.retryable) == (category, is_retryable)
    assert message in error.message
    asyncio.run(refusals.note(httpx2.Response(200)))
    assert refusals.error() is None
