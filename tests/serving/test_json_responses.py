"""Requests of 2026 without messages before their result: JSON, cancelled with their client, and kept alive."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lab_server import LAB
from posts import JSON, call, value
from served import http
from toolspec.serving import json_responses
from toolspec.serving.bodies import MESSAGE
from toolspec.serving.connection_limits import CONNECTION
from toolspec.serving.json_responses import JsonResponses

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


class Lost:
    """A connection, as the middleware sees it."""

    on_lost: Any = None


def request(meta: Any = META, method: str = "tools/call", **headers: str) -> dict[str, Any]:
    named = {**JSON, "mcp-protocol-version": "2026-07-28", **headers}
    return {
        "type": "http",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        "state": {CONNECTION: Lost()},
        MESSAGE: {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}},
    }


async def served(scope: dict[str, Any], seconds: float) -> tuple[bool, list[Any]]:
    """Return whether an application that takes so long was to answer with JSON, and what was sent."""
    forms: list[bool] = []
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        forms.append(json_responses._is_json.get())
        await asyncio.sleep(seconds)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b'{"id":1}'})

    async def send(message: Any) -> None:
        sent.append(message)

    await asyncio.create_task(JsonResponses(app)(scope, None, send))  # type: ignore[arg-type]  # unused
    return forms[0], sent


@pytest.mark.parametrize(
    ("scope", "is_json"),
    [
        (request(), True),
        (request(method="tools/list"), True),
        (request(method="subscriptions/listen"), False),
        (request({**META, "progressToken": 1}), False),
        (request({**META, "io.modelcontextprotocol/logLevel": "info"}), False),
        (request(None), False),
        (request(accept="application/json"), False),
        (request(**{"mcp-protocol-version": "2025-11-25"}), False),
        ({**request(), "state": {}}, False),
        ({**request(), MESSAGE: [1]}, False),
    ],
)
def test_only_a_request_with_a_result_alone_gets_json(scope: Any, *, is_json: bool) -> None:
    found, sent = asyncio.run(served(scope, 0))
    assert found is is_json
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]


def test_a_slow_response_becomes_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_responses, "PING_SECONDS", 0.01)
    _, (start, *pings, last) = asyncio.run(served(request(), 0.2))
    assert start["status"] == 200
    assert (b"content-type", b"text/event-stream") in start["headers"]
    assert len(pings) > 1
    assert {message["body"] for message in pings} == {b": ping\r\n\r\n"}
    assert last["body"] == b'event: message\r\ndata: {"id":1}\r\n\r\n'
    assert not last.get("more_body")


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.prove)])
def test_a_call_ends_with_its_client(lab: Path, workers: str) -> None:
    with http(lab, *LAB, "--no-auth", "--workers", workers) as address:
        with pytest.raises(httpx2.ReadTimeout), httpx2.Client(timeout=0.3) as hasty:
            call(address, "lab_wait", client=hasty)
        for _ in range(200):
            found = value(call(address, "lab_seen"))  # of a worker, by turns
            if "called off True" in found:
                break
            time.sleep(0.05)
        else:
            pytest.fail(f"the call goes on: {found}")
