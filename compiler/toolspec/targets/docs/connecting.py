"""Configurations and programs that connect a client to a server over HTTP, with and without a token.

The form of each is the one that its client documents. Those with a token name the environment variable
`TOOLSPEC_TOKEN`, or let the client ask for it, so that no file holds the token; Claude Desktop passes no
variables on, so that its configuration has a place for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.sinks.json_text import json_example
from toolspec.sinks.python import expression
from toolspec.sinks.shell import word
from toolspec.targets.docs.view import Connections, Snippet

if TYPE_CHECKING:
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject, JsonValue

TOKEN = "TOOLSPEC_TOKEN"  # noqa: S105 - the name of a variable
_INPUT = "toolspec-token"
_HEADER = "AUTH_HEADER"
_PYTHON = """\
import asyncio

from mcp import Client


async def main() -> None:
    async with Client(ADDRESS) as client:
        for tool in (await client.list_tools()).tools:
            print(tool.name)


asyncio.run(main())"""
_PYTHON_SIGNED_IN = """\
import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

SERVER = ADDRESS
HEADERS = {"Authorization": f"Bearer {os.environ['TOOLSPEC_TOKEN']}"}


async def main() -> None:
    async with (
        httpx2.AsyncClient(headers=HEADERS) as http,
        Client(streamable_http_client(SERVER, http_client=http)) as client,
    ):
        for tool in (await client.list_tools()).tools:
            print(tool.name)


asyncio.run(main())"""
_TYPESCRIPT = """\
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "example", version: "1.0.0" });
OPTIONSawait client.connect(new StreamableHTTPClientTransport(new URL(ADDRESS)MORE));
for (const tool of (await client.listTools()).tools) console.log(tool.name);
await client.close();"""
_TYPESCRIPT_HEADERS = """\
const headers = { Authorization: `Bearer ${process.env.TOOLSPEC_TOKEN}` };
"""


def connections(service: Service, server: str) -> Connections:
    """Return how clients are connected to a server of a service."""
    scopes = (scope for tool in service.tools for rule in tool.scopes for scope in rule.any_of)
    without, with_token = (
        _snippets(service.name, server, has_token=has_token) for has_token in (False, True)
    )
    return Connections(tuple(zip(without, with_token, strict=True)), tuple(sorted(set(scopes))))


def _snippets(name: str, server: str, *, has_token: bool) -> tuple[Snippet, ...]:
    desktop: JsonObject = {"mcpServers": {name: _desktop(server, has_token=has_token)}}
    return (
        Snippet("claude-code", "Claude Code", "sh", _claude(name, server, has_token=has_token)),
        Snippet("claude-desktop", "Claude Desktop", "json", json_example(desktop)),
        Snippet(
            "vscode",
            "VS Code: .vscode/mcp.json",
            "json",
            json_example(_vscode(name, server, has_token=has_token)),
        ),
        Snippet(
            "cursor",
            "Cursor: .cursor/mcp.json",
            "json",
            json_example({"mcpServers": {name: _cursor(server, has_token=has_token)}}),
        ),
        Snippet("python-sdk", "Python SDK", "python", _python(server, has_token=has_token)),
        Snippet("typescript-sdk", "TypeScript SDK", "ts", _typescript(server, has_token=has_token)),
    )


def _claude(name: str, server: str, *, has_token: bool) -> str:
    command = f"claude mcp add --transport http {word(name)} {word(server)}"
    if not has_token:
        return command
    # In single quotes the shell leaves the variable to Claude Code, which stores its name alone.
    return f"{command} \\\n  --header {word(f'Authorization: Bearer ${{{TOKEN}}}')}"


def _desktop(server: str, *, has_token: bool) -> JsonObject:
    arguments: list[JsonValue] = ["-y", "mcp-remote", server]
    if not has_token:
        return {"command": "npx", "args": arguments}
    # A blank in an argument is lost on Windows, one in a variable is not.
    arguments += ["--header", f"Authorization:${{{_HEADER}}}"]
    return {"command": "npx", "args": arguments, "env": {_HEADER: "Bearer YOUR-TOKEN"}}


def _vscode(name: str, server: str, *, has_token: bool) -> JsonObject:
    entry: JsonObject = {"type": "http", "url": server}
    if not has_token:
        return {"servers": {name: entry}}
    entry["headers"] = {"Authorization": f"Bearer ${{input:{_INPUT}}}"}
    asked: JsonObject = {
        "type": "promptString",
        "id": _INPUT,
        "description": f"Bearer token of {name}",
        "password": True,
    }
    return {"inputs": [asked], "servers": {name: entry}}


def _cursor(server: str, *, has_token: bool) -> JsonObject:
    entry: JsonObject = {"url": server}
    if has_token:
        entry["headers"] = {"Authorization": f"Bearer ${{env:{TOKEN}}}"}
    return entry


def _python(server: str, *, has_token: bool) -> str:
    return (_PYTHON_SIGNED_IN if has_token else _PYTHON).replace("ADDRESS", expression(server))


def _typescript(server: str, *, has_token: bool) -> str:
    program = _TYPESCRIPT.replace("OPTIONS", _TYPESCRIPT_HEADERS if has_token else "")
    program = program.replace("MORE", ", { requestInit: { headers } }" if has_token else "")
    return program.replace("ADDRESS", json_example(server).rstrip("\n"))
