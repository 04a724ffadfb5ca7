"""Connections that keep a server waiting: they end, and take no place from others."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from posts import JSON, LIST, send_request
from served import await_port, free_port
from toolspec.serving.connection_limits import ConnectionLimits, LimitedConnection

HEAD = b"POST /mcp HTTP/1.1\r\nhost: localhost\r\n"
BODY = HEAD + b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
PROGRAM = """
import resource, sys
from toolspec.serving.options import Options
from toolspec.serving.start import start
folder, port, seconds, descriptors = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_NOFILE, (int(descriptors), int(descriptors)))
start(
    Options(
        folder=folder,
        package="generated",
        transport="http",
        port=int(port),
        head_timeout=float(seconds),
        body_timeout=float(seconds),
    )
)
"""


@contextmanager
def mocks(lab: Path, seconds: float, log: list[str], descriptors: int = 1024) -> Iterator[int]:
    """Yield the port of a server of mocks with deadlines; `log` gets its output when it has ended."""

    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, lab / "generated", *map(str, (port, seconds, descriptors))],
        cwd=lab,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        await_port(process, port)
        yield port
    finally:
        process.terminate()
        log.append(process.communicate(timeout=20)[0].decode())


def listed(port: int) -> int:
    headers = {**JSON, "mcp-protocol-version": "2025-11-25"}
    address = f"http://127.0.0.1:{port}/mcp"
    return send_request("POST", address, json=LIST, headers=headers).status_code


def opened(port: int, start: bytes, number: int) -> list[socket.socket]:
    connections = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(number)]
    for connection in connections:
        with contextlib.suppress(ConnectionError):
            connection.sendall(start)
    return connections


def is_closed(connection: socket.socket) -> bool:
    """Wait for the end of a connection, up to its timeout."""
    with connection:
        try:
            return connection.recv(1) == b""
        except ConnectionResetError:
            return True


@pytest.mark.prove
def test_half_requests_end(lab: Path) -> None:
    log: list[str] = []
    with mocks(lab, 0.3, log) as port:
        for start in (b"", HEAD, BODY):
            assert all(is_closed(each) for each in opened(port, start, 20))
        assert listed(port) == 400
    assert log[0].count("\n") <= 3, log[0]


@pytest.mark.prove
def test_descriptors_last_for_those_who_send(lab: Path) -> None:
    log: list[str] = []
    with mocks(lab, 60, log, descriptors=200) as port:
        crowd = [each for start in (b"", HEAD, BODY) for each in opened(port, start, 130)]
        assert [listed(port) for _ in range(5)] == [400] * 5
        for connection in crowd:
            connection.close()
        assert listed(port) == 400
    # Neither those who were refused nor those who went in the middle left a line.
    assert log[0].count("\n") <= 3, log[0][:2000]


@asynccontextmanager
async def serving(app: Any, **limits: Any) -> AsyncIterator[int]:
    """Yield the port of an application in this process, whose connections have limits."""
    connection = partial(LimitedConnection, limits=ConnectionLimits(accepted=10, **limits))
    config = uvicorn.Config(app, http=connection, port=free_port(), lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    running = asyncio.create_task(server.main_loop())
    try:
        yield config.port
    finally:
        server.should_exit = server.force_exit = True
        await running
        await server.shutdown()


GET = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


def test_a_new_connection_takes_the_place_of_the_one_that_waits_longest() -> None:
    async def main() -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body"})

        async with serving(app, most=2) as port:
            first, *others = [await asyncio.open_connection(port=port) for _ in "123"]
            assert await first[0].read() == b""
            for reading, writing in others:
                writing.write(GET)
                assert (await reading.readline()).startswith(b"HTTP/1.1 200")
            for _, writing in (first, *others):
                writing.close()

    asyncio.run(asyncio.wait_for(main(), 20))


def test_no_response_is_given_up_for_a_new_connection(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        begun, end = asyncio.Queue[int](), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            begun.put_nowait(1)
            await end.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body"})

        async with serving(app, most=2) as port:
            streams = []
            for _ in "12":
                streams.append(await asyncio.open_connection(port=port))
                streams[-1][1].write(GET)
                await begun.get()
            refused, leaving = await asyncio.open_connection(port=port)
            assert (await refused.read()).startswith(b"HTTP/1.1 503 ")
            leaving.close()
            end.set()
            for reading, writing in streams:
                assert (await reading.readline()).startswith(b"HTTP/1.1 200")
                writing.close()

    asyncio.run(asyncio.wait_for(main(), 20))
    assert "2 connections wait for responses" in caplog.text


def test_a_response_that_nobody_reads_ends() -> None:
    async def main() -> None:
        ended = asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            async def watch() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass

            watching = asyncio.create_task(watch())
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while not watching.done():
                await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
                await asyncio.sleep(0)
            ended.set()

        async with serving(app, most=2, read_timeout=0.2) as port:
            _, writing = await asyncio.open_connection(port=port, limit=1)
            writing.write(GET)
            await ended.wait()
            writing.close()

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.prove
def test_a_request_for_websockets_brings_no_advice_to_install_them(lab: Path) -> None:
    log: list[str] = []
    upgrade = {"connection": "Upgrade", "upgrade": "websocket"}
    with mocks(lab, 10, log) as port:
        refused = send_request("GET", f"http://127.0.0.1:{port}/mcp", headers=upgrade)
        assert refused.is_client_error
    assert "Unsupported upgrade request" in log[0]
    assert "WebSocket" not in log[0]
