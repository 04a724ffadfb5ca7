"""A project whose spec and handlers have versions, and its servers over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from served import TOOLSPEC, await_port, free_port
from toolspec.serving.certificates import certificates

SPEC = """toolspec: 1
service: {{name: clock, description: A clock with versions.}}
tools:
  - name: look
    description: Look at version {version}.
    inputSchema:
      type: object
      properties:
        spec: {{type: integer, description: The version of the spec., default: {version}}}
        until: {{type: string, description: A file to wait for., default: ""}}
        seconds: {{type: number, description: How long to look., minimum: 0, default: 0}}
      additionalProperties: false
    outputSchema: {{type: array, items: {{type: integer, description: A number.}}}}
    mutation: false
{more}"""
HANDLERS = """import asyncio
import os

VERSION = {version}


class Clock:
    async def look(self, input, ctx):
        await asyncio.sleep(input["seconds"])
        while input["until"] and not os.path.exists(input["until"]):
            await asyncio.sleep(0.02)
        return [os.getpid(), input["spec"], VERSION]
"""
MORE = """  - name: wind
    description: Wind it up.
    outputSchema: {type: string, description: A word.}
    mutation: false
"""
ABOUT = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def write_spec(folder: Path, version: int, more: str = "") -> None:
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    text = SPEC.format(version=version, more=more)
    (folder / "specs" / "clock.yaml").write_text(text)


def write_handlers(folder: Path, version: int) -> None:
    (folder / "app.py").write_text(HANDLERS.format(version=version))


def compile_project(folder: Path) -> None:
    subprocess.run([*TOOLSPEC, "compile"], cwd=folder, check=True, capture_output=True)


def make_versions(folder: Path) -> Path:
    write_spec(folder, 1)
    write_handlers(folder, 1)
    compile_project(folder)
    return folder


class HttpServer:
    """A server process with its address; `output` has what it printed once it has ended."""

    def __init__(self, folder: Path, *options: str) -> None:
        port = free_port()
        self.address = f"http://127.0.0.1:{port}/mcp"
        self.log = folder / f"log-{port}.txt"
        arguments = ("--handlers", "app:Clock", "--transport", "http", "--port", str(port))
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*TOOLSPEC, "serve", *arguments, *options], cwd=folder, stdout=log, stderr=log
            )
        await_port(self.process, port)

    @property
    def output(self) -> str:
        return self.log.read_text()


@contextmanager
def http_server(folder: Path, *options: str) -> Iterator[HttpServer]:
    server = HttpServer(folder, *options)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait(30)


def headers(method: str, name: str = "") -> dict[str, str]:
    more = {"mcp-name": name} if name else {}
    return {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        **more,
    }


def request_body(arguments: dict[str, Any], number: int = 1) -> dict[str, Any]:
    params = {"name": "clock_look", "arguments": arguments, "_meta": ABOUT}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


async def looked(client: httpx2.AsyncClient, address: str, **arguments: Any) -> list[int]:
    """Return process, version of the spec and version of the handlers that answered a call."""
    answer = await client.post(
        address, json=request_body(arguments), headers=headers("tools/call", "clock_look")
    )
    text = answer.text
    if text.startswith(("event:", "data:", ":")):
        text = [line[6:] for line in text.splitlines() if line.startswith("data: {")][-1]
    found: list[int] = json.loads(text)["result"]["structuredContent"]
    return found


def look(address: str, connections: int = 1) -> list[list[int]]:
    """Return the answers to one call each on some connections that are open at once."""

    async def main() -> list[list[int]]:
        clients = [
            httpx2.AsyncClient(verify=certificates(), timeout=30) for _ in range(connections)
        ]
        try:
            return [await looked(client, address) for client in clients]
        finally:
            for client in clients:
                await client.aclose()

    return asyncio.run(main())


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)
