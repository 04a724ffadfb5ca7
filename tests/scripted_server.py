"""A server of 2025-11-25 over HTTP in the loop of a test, which decides how each request is answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from typing import Any, NamedTuple

VERSION = "2025-11-25"


class Request(NamedTuple):
    """A request of JSON-RPC, and the session that its header names."""

    message: dict[str, Any]
    session: str
    writer: asyncio.StreamWriter

    @property
    def tool(self) -> str:
        return str(self.message.get("params", {}).get("name", ""))

    def start(self, status: int, length: int, **headers: str) -> None:
        """Send the head of a response."""
        lines = {"content-type": "application/json", "content-length": str(length), **headers}
        text = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
        self.writer.write(f"HTTP/1.1 {status} Status\r\n{text}\r\n".encode())

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Send a whole response."""
        self.start(status, len(body), **headers)
        self.writer.write(body)

    def result(self, result: dict[str, Any], **headers: str) -> None:
        """Send the result of the request."""
        whole = {"jsonrpc": "2.0", "id": self.message["id"], "result": result}
        self.answer(200, json.dumps(whole).encode(), **headers)

    def text(self, text: str) -> None:
        """Send the result of a call."""
        self.result({"content": [{"type": "text", "text": text}]})

    def error(self, status: int, code: int, message: str) -> None:
        """Send an error of JSON-RPC without an id, as for a request that is not let in."""
        error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
        self.answer(status, json.dumps(error).encode())


class ScriptedServer:
    """Opens sessions, lists no tools, and leaves the rest to `answer`, which returns False to have that done too."""

    def __init__(self, answer: Callable[[Request], Awaitable[bool]]) -> None:
        self._answer = answer
        self.sessions: list[str] = []
        self.methods: list[str] = []
        self.address = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        with closing(writer), suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                pairs = (line.split(":", 1) for line in head[1:] if line)
                headers = {name.lower(): value.strip() for name, value in pairs}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                message = json.loads(body) if body else {}
                request = Request(message, headers.get("mcp-session-id", ""), writer)
                await self._respond(request, head[0].partition(" ")[0])
                await writer.drain()

    async def _respond(self, request: Request, verb: str) -> None:
        method = request.message.get("method", "")
        if verb != "POST":
            request.answer(405)
            return
        self.methods.append(method)
        if await self._answer(request):
            return
        if method == "initialize":
            self.sessions.append(f"s{len(self.sessions)}")
            info = {"name": "scripted", "version": "1"}
            opened = {"protocolVersion": VERSION, "capabilities": {"tools": {}}, "serverInfo": info}
            request.result(opened, mcp_session_id=self.sessions[-1])
        elif method == "tools/list":
            request.result({"tools": []})
        elif "id" in request.message and method:
            request.text(request.tool)
        else:
            request.answer(202)


@asynccontextmanager
async def scripted(answer: Callable[[Request], Awaitable[bool]]) -> AsyncIterator[ScriptedServer]:
    """Yield a server on a free port."""
    server = ScriptedServer(answer)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/mcp"
    try:
        yield server
    finally:
        listening.close()
