"""Compiled projects, servers of them, and clients of both eras over both transports."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from forkserver import toolspec
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import (
    CallToolResult,
    CreateTaskResult,
    ElicitResult,
    GetTaskPayloadRequest,
    GetTaskPayloadRequestParams,
    Task,
)
from toolspec.serving.certificates import certificates

TOOLSPEC = (str(toolspec()),)
LEGACY, MODERN = "legacy", "auto"
"""How a client opens: by shaking hands, or by asking what there is."""


def make_project(folder: Path, *specs: Path) -> Path:
    (folder / "specs").mkdir(parents=True)
    for each in specs:
        shutil.copy(each, folder / "specs")
    subprocess.run([*TOOLSPEC, "compile"], cwd=folder, check=True, capture_output=True)
    return folder


def make_handled(folder: Path, spec: Path) -> Path:
    """Return a project of one spec, whose handlers beside it are the module `app`."""
    make_project(folder, spec)
    shutil.copy(spec.with_name(f"{spec.stem}_handlers.py"), folder / "app.py")
    return folder


class Person:
    """Whoever sits before the client: what was asked, and what is answered."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.action = "accept"
        self.declined: str | None = None
        """Part of the questions that are declined, whatever the action."""

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        is_declined = self.declined is not None and self.declined in params.message
        action = "decline" if is_declined else self.action
        return ElicitResult(action=action, content={} if action == "accept" else None)


class Connection:
    """A connected client, called from tests that are not async."""

    def __init__(
        self, portal: BlockingPortal, client: Client, person: Person | None, notified: list[Any]
    ) -> None:
        self.portal = portal
        self.client = client
        self.person = person or Person()
        self.notified = notified
        """What the server sent that was no answer."""

    def call(self, tool: str, arguments: Any = None, **options: Any) -> Any:
        return self.portal.call(lambda: self.client.call_tool(tool, arguments or {}, **options))

    def send(self, request: Any, result: Any) -> Any:
        return self.portal.call(lambda: self.client.session.send_request(request, result))

    def start(self, tool: str, arguments: Any, ttl: int | None = None) -> Task:
        """Call a tool as a task. The SDK's client holds every answer to be a tool's result."""
        params = {"name": tool, "arguments": arguments, "task": {"ttl": ttl} if ttl else {}}
        send = self.client.session._dispatcher.send_raw_request
        return CreateTaskResult.model_validate(self.portal.call(send, "tools/call", params)).task

    def task_result(self, task: str) -> CallToolResult:
        request = GetTaskPayloadRequest(params=GetTaskPayloadRequestParams(task_id=task))
        result = self.send(request, CallToolResult)
        assert isinstance(result, CallToolResult)
        return result

    def send_round(self, tool: str, arguments: Any = None, **options: Any) -> Any:
        """Send one round of a call of 2026, which may return a question."""
        session = self.client.session
        return self.portal.call(
            lambda: session.call_tool(tool, arguments or {}, allow_input_required=True, **options)
        )

    def reports(self, tool: str, arguments: Any = None) -> tuple[Any, list[Any]]:
        found: list[Any] = []

        async def listen(progress: float, total: float | None, message: str | None) -> None:
            found.append((progress, total, message))

        return self.call(tool, arguments, progress_callback=listen), found


@contextmanager
def connected(
    server: Any, mode: str, *, can_ask: bool = True, **options: Any
) -> Iterator[Connection]:
    person = Person() if can_ask else None
    notified: list[Any] = []

    async def note(message: Any) -> None:
        notified.append(message)

    client = Client(
        server,
        mode=mode,
        message_handler=note,
        read_timeout_seconds=20,
        **{"elicitation_callback": person, **options},
    )
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Connection(portal, client, person, notified)


@asynccontextmanager
async def with_headers(address: str, **headers: str) -> AsyncIterator[Any]:
    """Yield a server over HTTP, for a client that sends these headers."""
    async with (
        httpx2.AsyncClient(headers=headers, verify=certificates(), timeout=30) as client,
        streamable_http_client(address, http_client=client) as streams,
    ):
        yield streams


def signed_in(address: str, token: str) -> Any:
    return with_headers(address, authorization=f"Bearer {token}")


def stdio(folder: Path, *options: str, **environment: str) -> StdioServerParameters:
    command, *rest = TOOLSPEC
    return StdioServerParameters(
        command=command,
        args=[*rest, "serve", *options],
        cwd=str(folder),
        env={**os.environ, **environment},
    )


def module_stdio(folder: Path, *options: str) -> StdioServerParameters:
    """Return a server on stdio that `python -m toolspec.serving` starts."""
    arguments = ["-m", "toolspec.serving", *options]
    environment = dict(os.environ)
    return StdioServerParameters(
        command=sys.executable, args=arguments, cwd=str(folder), env=environment
    )


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def http(folder: Path, *options: str, log: list[str] | None = None) -> Iterator[str]:
    """Yield the address of a server process on a free port; `log` gets its output when it has ended."""
    port = free_port()
    command = [*TOOLSPEC, "serve", "--transport", "http", "--port", str(port), *options]
    with listening(folder, command, port, log):
        yield f"http://127.0.0.1:{port}/mcp"


@contextmanager
def listening(
    folder: Path, command: Sequence[str], port: int, log: list[str] | None = None
) -> Iterator[None]:
    """Run a command that listens on a port; `log` gets its output when it has ended."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        await_port(process, port)
        yield
    finally:
        process.terminate()
        output, _ = process.communicate(timeout=20)
        if log is not None:
            log.append(output.decode())


def await_port(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(1200):
        assert process.poll() is None, process.communicate()[0].decode()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


def pause(connection: Connection, seconds: float = 0.05) -> None:
    connection.portal.call(anyio.sleep, seconds)
