"""The end of a process whose handlers go on, whoever says stop: it comes, and soon."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from raw_messages import HEADERS, HELLO, MODERN_META, READY, message
from served import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A shell that starts the tests in the background lets them and all their processes ignore Ctrl-C.
LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
TOOLSPEC = (sys.executable, "-c", f"{LISTENING}; from toolspec.cli.main import main; main()")
SERVE = (*TOOLSPEC, "serve", "--handlers", "app:Faulty", "--approve", "auto")
HOLDS = ("block", "thread", "pool", "ignore")
GUARD = 40
"""Seconds, fewer than the handlers take and more than any end needs."""


@contextmanager
def started(folder: Path, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for each in (process.stdin, process.stdout, process.stderr):
            assert each is not None
            each.close()


def await_line(process: subprocess.Popen[bytes], word: bytes) -> None:
    assert process.stderr is not None
    said = b""
    for line in process.stderr:
        said += line
        if word in line:
            return
    raise AssertionError(said.decode())


def call(how: str, **meta: Any) -> dict[str, Any]:
    params = {"name": "faulty_hold", "arguments": {"how": how}, "_meta": meta}
    return message("tools/call", params, 2)


def ended(process: subprocess.Popen[bytes], number: int) -> int:
    process.send_signal(number)
    return process.wait(GUARD)


@pytest.mark.prove
@pytest.mark.parametrize("how", HOLDS)
def test_an_interrupt_ends_a_call(faulty: Path, how: str) -> None:
    command = (*TOOLSPEC, "call", "--handlers", "app:Faulty")
    with started(faulty, *command, "faulty_hold", f"how={how}") as call:
        await_line(call, b"begun")
        assert ended(call, signal.SIGINT) == 130


@pytest.mark.prove
def test_an_interrupt_ends_a_server_on_stdio_though_its_client_stays(faulty: Path) -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(started(faulty, *SERVE)) for _ in HOLDS]
        for how, each in zip(HOLDS, servers, strict=True):
            assert each.stdin is not None
            for sent in (HELLO, READY, call(how)):
                each.stdin.write(json.dumps(sent).encode() + b"\n")
            each.stdin.flush()
        for each in servers:
            await_line(each, b"begun")
            each.send_signal(signal.SIGINT)
        assert [each.wait(GUARD) for each in servers] == [130] * len(servers)


@pytest.mark.prove
def test_an_interrupt_ends_a_server_on_stdio_that_does_nothing(faulty: Path) -> None:
    with started(faulty, *SERVE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(HELLO).encode() + b"\n")
        server.stdin.flush()
        assert server.stdout.readline()
        assert ended(server, signal.SIGINT) == 130


@pytest.mark.parametrize(
    ("number", "workers"),
    [
        pytest.param(signal.SIGINT, 1, marks=pytest.mark.prove),
        pytest.param(signal.SIGINT, 2, marks=pytest.mark.prove),
        pytest.param(signal.SIGTERM, 1, marks=pytest.mark.prove),
        pytest.param(signal.SIGTERM, 2, marks=pytest.mark.prove),
    ],
)
def test_a_signal_ends_a_server_on_http(faulty: Path, number: int, workers: int) -> None:
    """A Ctrl-C is told by 130, SIGTERM by itself or by 143."""
    port = free_port()
    handlers = "app:registry" if workers > 1 else "app:Faulty"
    command = (*TOOLSPEC, "serve", "--handlers", handlers, "--approve", "auto")
    options = ("--transport", "http", "--port", str(port), "--workers", str(workers))
    with started(faulty, *command, *options) as server, ExitStack() as stack:
        await_line(server, b"serving")
        for how in HOLDS[::-1] if workers == 1 else HOLDS[:1]:
            stack.enter_context(held(port, how))
            await_line(server, b"begun")
        code = ended(server, number)
    if number == signal.SIGINT:
        assert code == 130
    else:
        assert code in (-signal.SIGTERM, 143)


@contextmanager
def held(port: int, how: str) -> Iterator[None]:
    """Send a call of 2026, and take no answer."""
    body = json.dumps(call(how, **MODERN_META)).encode()
    headers = {
        **HEADERS,
        "host": f"127.0.0.1:{port}",
        "content-length": str(len(body)),
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "faulty_hold",
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    with connected_to(port) as connection:
        connection.sendall(f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body)
        yield


def connected_to(port: int) -> socket.socket:
    for _ in range(GUARD * 20):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError("the server does not listen")


SYNC = """
import sys
from generated.faulty import FaultySyncClient
from generated.faulty import bind
from toolspec.runtime import Limits, ToolError
from app import Faulty

registry = bind(Faulty()).with_controls(limits=Limits(total=0.2))
with FaultySyncClient(registry) as client:
    try:
        client.hold({"how": sys.argv[1]})
    except ToolError as error:
        print(error.code)
"""


@pytest.mark.prove
def test_closing_a_client_ends_though_a_handler_goes_on(faulty: Path) -> None:
    with ExitStack() as stack:
        command = (sys.executable, "-c", SYNC)
        programs = [stack.enter_context(started(faulty, *command, how)) for how in HOLDS[1::2]]
        for each in programs:
            out, said = each.communicate(timeout=GUARD)
            assert (each.returncode, out) == (0, b"total_timeout\n"), said
