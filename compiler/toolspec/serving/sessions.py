"""Sessions of clients of 2025 in several processes.

A session lives in the worker that opened it, and its id names that worker. Another worker that gets a
request of it relays the request over a Unix socket, before it authenticates: the owner compares the
caller with the one who opened the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
import struct
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, MutableMapping
    from typing import Any, TypeAlias

    Message: TypeAlias = MutableMapping[str, Any]
    Receive: TypeAlias = Callable[[], Awaitable[Message]]
    Send: TypeAlias = Callable[[Message], Awaitable[None]]
    Application: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

_log = logging.getLogger("toolspec")

_HEADER = b"mcp-session-id"
_HEAD, _BODY, _LAST = range(3)
"""Kinds of frames in both directions: the head of a request or response, parts of its body, the last part."""
_FRAME = struct.Struct(">BI")
_CODE_LENGTH = 32
_SCOPE = ("http_version", "method", "path", "root_path", "scheme", "client", "server")
_GONE, _BROKEN = (404, -32600, "Session not found"), (502, -32603, "The session's worker has ended")


class SessionNames:
    """Names of sessions for clients: the worker, the id inside it, and a code that proves both."""

    def __init__(self, key: bytes, worker: str) -> None:
        self.worker = worker
        self._key = key

    def seal(self, session: str) -> str:
        """Return the name of a session of this worker."""
        text = f"{self.worker}.{session}"
        return f"{text}.{self._code(text)}"

    def parts(self, name: str) -> tuple[str, str] | None:
        """Return worker and id of a session; None for a name that no worker has made."""
        text, _, code = name.rpartition(".")
        if not name.isascii() or not hmac.compare_digest(code, self._code(text)):
            return None
        worker, _, session = text.partition(".")
        return worker, session

    def _code(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()[:_CODE_LENGTH]


class SessionRouter:
    """An ASGI application that has each request of a session answered by the session's worker.

    Sockets of the workers are in `folder`, which only their user may read.
    """

    def __init__(self, app: Application, names: SessionNames, folder: str) -> None:
        self._app = app
        self._names = names
        self._folder = Path(folder)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request here, or relay it."""
        name = _session_name(scope) if scope["type"] == "http" else None
        if name is None:
            await self._app(scope, receive, _renaming(send, self._names.seal))
            return
        # The application finds no session of a forged name, and says so after it has authenticated.
        worker, session = self._names.parts(name) or (self._names.worker, "-")
        if worker == self._names.worker:
            headers = _replaced(scope["headers"], session)
            await self._app({**scope, "headers": headers}, receive, _renaming(send, lambda _: name))
        else:
            await _relay(self._folder / worker, scope, receive, send)

    async def listen(self, tasks: set[asyncio.Task[None]]) -> asyncio.Server:
        """Answer what other workers relay; `tasks` contains the requests that run."""

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            try:
                await _answer(self, reader, writer)
            finally:
                tasks.discard(task)
                writer.close()

        return await asyncio.start_unix_server(answer, self._folder / self._names.worker)


def _session_name(scope: Message) -> str | None:
    values = (value for header, value in scope["headers"] if header == _HEADER)
    value: bytes | None = next(values, None)
    return None if value is None else value.decode("latin-1")


def _replaced(headers: Iterable[tuple[bytes, bytes]], session: str) -> list[tuple[bytes, bytes]]:
    value = session.encode("latin-1")
    return [(name, value if name.lower() == _HEADER else old) for name, old in headers]


def _renaming(send: Send, rename: Callable[[str], str]) -> Send:
    """Return a `send` that renames the session in the head of a response."""

    async def renamed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            session = next((value for name, value in headers if name.lower() == _HEADER), None)
            if session is not None:
                headers = _replaced(headers, rename(session.decode("latin-1")))
                message = {**message, "headers": headers}
        await send(message)

    return renamed


async def _relay(path: Path, scope: Message, receive: Receive, send: Send) -> None:
    """Have another worker answer a request, part by part as it answers.

    If it has ended, the session is not found. If it ends during the request, the outcome is unknown.
    """
    try:
        reader, writer = await asyncio.open_unix_connection(path)
    except OSError:
        await _refuse(send, *_GONE)
        return
    upload = asyncio.ensure_future(_upload(scope, receive, writer))
    is_started = is_complete = False
    try:
        async for kind, part in _frames(reader):
            if kind == _HEAD:
                head = json.loads(part)
                headers = [
                    tuple(item.encode("latin-1") for item in pair) for pair in head["headers"]
                ]
                await send({"type": "http.response.start", **head, "headers": headers})
                is_started = True
                continue
            is_complete = kind == _LAST
            await send({"type": "http.response.body", "body": part, "more_body": not is_complete})
            if is_complete:
                return
        if not is_started:
            await _refuse(send, *_BROKEN)
        else:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        upload.cancel()
        writer.close()


async def _upload(scope: Message, receive: Receive, writer: asyncio.StreamWriter) -> None:
    """Send a request, and close the connection once its client has disconnected."""
    head = {key: scope.get(key) for key in _SCOPE}
    head["query_string"] = scope["query_string"].decode("latin-1")
    head["headers"] = [[item.decode("latin-1") for item in pair] for pair in scope["headers"]]
    try:
        await _write(writer, _HEAD, json.dumps(head).encode())
        while (message := await receive())["type"] == "http.request":
            kind = _BODY if message.get("more_body") else _LAST
            await _write(writer, kind, message.get("body", b""))
    except OSError:
        return  # the worker has ended, which the reader notices
    writer.close()


async def _answer(
    app: Application, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer a relayed request."""
    frames = _frames(reader)
    try:
        _, first = await anext(frames)
    except StopAsyncIteration:
        return
    head = json.loads(first)
    scope = {
        **head,
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "raw_path": head["path"].encode(),
        "query_string": head["query_string"].encode("latin-1"),
        "headers": [tuple(item.encode("latin-1") for item in pair) for pair in head["headers"]],
        "client": tuple(head["client"]) if head["client"] else None,
        "server": tuple(head["server"]) if head["server"] else None,
        "state": {},
    }

    async def receive() -> Message:
        async for kind, part in frames:
            return {"type": "http.request", "body": part, "more_body": kind != _LAST}
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        with contextlib.suppress(OSError):  # as by a web server, whose client may be gone
            if message["type"] == "http.response.start":
                pairs = [[item.decode("latin-1") for item in pair] for pair in message["headers"]]
                start = {"status": message["status"], "headers": pairs}
                await _write(writer, _HEAD, json.dumps(start).encode())
            else:
                kind = _BODY if message.get("more_body") else _LAST
                await _write(writer, kind, message.get("body", b""))

    try:
        await app(scope, receive, send)
    except Exception:  # noqa: BLE001 - as a web server answers any failure of its application
        _log.exception("a relayed request failed")


async def _write(writer: asyncio.StreamWriter, kind: int, part: bytes) -> None:
    writer.write(_FRAME.pack(kind, len(part)) + bytes(part))
    await writer.drain()


async def _frames(reader: asyncio.StreamReader) -> AsyncIterator[tuple[int, bytes]]:
    """Yield frames until the connection ends."""
    with contextlib.suppress(asyncio.IncompleteReadError, OSError):
        while True:
            kind, size = _FRAME.unpack(await reader.readexactly(_FRAME.size))
            yield kind, await reader.readexactly(size)


async def _refuse(send: Send, status: int, code: int, message: str) -> None:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(error).encode()})
