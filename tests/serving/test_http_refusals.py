"""A server that refuses by an HTTP status is no unreachable one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
import pytest
from scripted_server import Request, scripted
from served import http, make_handled
from toolspec.runtime import ToolError
from toolspec.serving.client import McpTransport
from toolspec.serving.client.http_refusals import HttpRefusal, note_response, noted_refusal

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
    refusal = HttpRefusal("http://here/mcp")
    refusal.note(response(status, "tools/list", challenge))
    error = refusal.error()
    assert error is not None
    assert (error.category, error.retryable) == (category, is_retryable)
    assert message in error.message
    refusal.note(response(200, "tools/list"))
    assert refusal.error() is None


def response(status: int, method: str, challenge: str = "") -> httpx2.Response:
    """Return the response to a request; without a method, to an answer."""
    body = {"jsonrpc": "2.0", "id": 1, **({"method": method} if method else {"result": {}})}
    sent = httpx2.Request("POST", "http://here/mcp", json=body)
    return httpx2.Response(status, headers={"WWW-Authenticate": challenge}, request=sent)


def test_a_refusal_is_that_of_its_own_request() -> None:
    """The SDK sends requests of one connection from tasks that have the contexts of their callers."""

    async def request(status: int, others: asyncio.Barrier) -> ToolError | None:
        with noted_refusal("http://here/mcp") as refusal:
            await asyncio.create_task(note_response(response(status, "tools/call")))
            await others.wait()
            return refusal.error()

    async def talk() -> list[ToolError | None]:
        others = asyncio.Barrier(3)
        return await asyncio.gather(*(request(status, others) for status in (403, 200, 503)))

    codes = [error and error.code for error in asyncio.run(talk())]
    assert codes == ["http_403", None, "http_503"]


def test_a_refused_answer_is_no_refusal_of_the_request() -> None:
    async def talk() -> ToolError | None:
        with noted_refusal("http://here/mcp") as refusal:
            await note_response(response(404, ""))
            return refusal.error()

    assert asyncio.run(talk()) is None


def test_calls_of_one_connection_get_their_own_refusals() -> None:
    is_begun, is_other_answered = asyncio.Event(), asyncio.Event()

    async def answer(request: Request) -> bool:
        if request.tool == "refused":
            request.start(403, 4)
            is_begun.set()
            await is_other_answered.wait()
            request.writer.write(b"null")
        return request.tool == "refused"

    async def talk() -> ToolError:
        async with scripted(answer) as server, McpTransport(server.address, mode="legacy") as calls:
            refused = asyncio.create_task(calls.call("refused", {}))
            await is_begun.wait()
            await asyncio.sleep(0.1)  # the client reads the status
            assert await calls.call("other", {}) == "other"
            is_other_answered.set()
            with pytest.raises(ToolError) as error:
                await refused
            return error.value

    error = asyncio.run(talk())
    assert (error.category, error.code) == ("auth", "http_403")
