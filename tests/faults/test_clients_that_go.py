"""Clients that go away in the middle of a stream: the handler ends, and the server goes on or goes too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from raw_messages import HEADERS, HELLO, MODERN_META, READY, message
from served import LEGACY, MODERN, TOOLSPEC, connected, http, stdio

HANDLERS = ("--handlers", "app:Faulty", "--approve", "auto")
PATIENCE = 20.0


def await_true(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def tick(**meta: Any) -> dict[str, Any]:
    params = {"name": "faulty_tick", "arguments": {}, "_meta": {"progressToken": 7, **meta}}
    return message("tools/call", params, 2)


# Over stdio the server has one client, and ends with it


@pytest.mark.parametrize("closed", ["stdin", "both"])
def test_a_server_on_stdio_ends_with_its_client(faulty: Path, closed: str) -> None:
    server = subprocess.Popen(
        [*TOOLSPEC, "serve", *HANDLERS],
        cwd=faulty,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    for each in (HELLO, READY, tick()):
        server.stdin.write(json.dumps(each).encode() + b"\n")
    server.stdin.flush()
    while b"notifications/progress" not in server.stdout.readline():
        pass
    server.stdin.close()
    if closed == "both":
        server.stdout.close()
    try:
        await_true(lambda: server.poll() is not None, "the server does not end")
    finally:
        server.kill()
        server.wait()
        assert server.stderr is not None
        said = server.stderr.read().decode()
        for each in (server.stdout, server.stderr):
            each.close()
    assert server.returncode == 0, said
    assert "Traceback" not in said


# Over HTTP it goes on for the others


@pytest.fixture(scope="module")
def address(faulty: Path) -> Iterator[str]:
    with http(faulty, *HANDLERS) as found:
        yield found


def opened(address: str) -> int:
    with connected(address, MODERN) as other:
        result = other.call("faulty_open")
        assert not result.is_error
        found = result.structured_content
        return int(found["result"] if isinstance(found, dict) else found)


def drop_after_the_first_chunk(address: str, body: Any, headers: dict[str, str]) -> None:
    with (
        httpx2.Client(timeout=PATIENCE) as client,
        client.stream("POST", address, json=body, headers={**HEADERS, **headers}) as answer,
    ):
        assert answer.status_code == 200, answer.read()
        for line in answer.iter_lines():
            if "notifications/progress" in line:
                return
    raise AssertionError("no chunk came")


def test_a_dropped_connection_of_2026_ends_its_handler(address: str) -> None:
    headers = {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "faulty_tick",
    }
    drop_after_the_first_chunk(address, tick(**MODERN_META), headers)
    await_true(lambda: opened(address) == 0, "its handler goes on")


def test_a_dropped_connection_of_2025_is_cancelled_by_word(address: str) -> None:
    """By its revision a lost connection is no cancellation: the client says so, or the session ends."""
    with httpx2.Client(timeout=PATIENCE) as client:
        hello = client.post(address, json=HELLO, headers=HEADERS)
        headers = {
            "mcp-protocol-version": "2025-11-25",
            "mcp-session-id": hello.headers["mcp-session-id"],
        }
        client.post(address, json=READY, headers={**HEADERS, **headers})
        drop_after_the_first_chunk(address, tick(), headers)
        assert opened(address) == 1
        cancelled = message("notifications/cancelled", {"requestId": 2})
        assert (
            client.post(address, json=cancelled, headers={**HEADERS, **headers}).status_code < 300
        )
    await_true(lambda: opened(address) == 0, "its handler goes on")


def test_a_session_of_2025_that_is_ended_ends_its_handlers(address: str) -> None:
    with httpx2.Client(timeout=PATIENCE) as client:
        hello = client.post(address, json=HELLO, headers=HEADERS)
        headers = {
            "mcp-protocol-version": "2025-11-25",
            "mcp-session-id": hello.headers["mcp-session-id"],
        }
        client.post(address, json=READY, headers={**HEADERS, **headers})
        drop_after_the_first_chunk(address, tick(), headers)
        client.delete(address, headers={**HEADERS, **headers})
    await_true(lambda: opened(address) == 0, "its handlers go on")


KILLED = """
import anyio, sys
from mcp import Client

async def main():
    async def listen(progress, total, message):
        print("chunk", flush=True)

    async with Client(sys.argv[1], mode="auto") as client:
        await client.call_tool("faulty_tick", {}, progress_callback=listen)

anyio.run(main)
"""


def test_a_client_that_is_killed_ends_its_handler(address: str) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", KILLED, address], stdout=subprocess.PIPE, env=dict(os.environ)
    )
    assert client.stdout is not None
    assert client.stdout.readline() == b"chunk\n"
    assert opened(address) == 1
    client.kill()
    client.wait()
    client.stdout.close()
    await_true(lambda: opened(address) == 0, "its handler goes on")


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_call_that_is_cancelled_ends_its_handler(
    faulty: Path, address: str, mode: str, transport: str
) -> None:
    import anyio

    server: Any = address if transport == "http" else stdio(faulty, *HANDLERS)
    with connected(server, mode) as client:

        async def listened() -> None:
            came = anyio.Event()

            async def listen(*_: Any) -> None:
                came.set()

            async with anyio.create_task_group() as group:

                async def call() -> None:
                    await client.client.call_tool("faulty_tick", {}, progress_callback=listen)

                group.start_soon(call)
                await came.wait()
                group.cancel_scope.cancel()

        client.portal.call(listened)

        def count() -> Any:
            found = client.call("faulty_open").structured_content
            return found["result"] if isinstance(found, dict) else found

        await_true(lambda: count() == 0, "its handler goes on")
