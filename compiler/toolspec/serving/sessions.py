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
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.connections import CLOSED, OPENED
from toolspec.serving.origins import header

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Awaitable,
        Callable,
        Iterable,
        Iterator,
        MutableMapping,
    )
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
_CHUNK = 65_536
_CODE_LENGTH = 32
_SCOPE = ("http_version", "method", "path", "root_path", "scheme", "client", "server")
_FIRST_ERROR = 400
_RELAYED = "toolspec.relayed"
"""Key of a scope whose request came from another worker."""
_INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
_LIST_CHANGED = b"""event: message\r
data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\r
\r
"""
_ADOPTION_SECONDS = 5
_LONGEST_HANDSHAKE = 16
"""Parts of a first request that are kept; longer ones open no session again."""
_MOST_SESSIONS = 10_000
_GONE, _BROKEN = (404, -32600, "Session not found"), (502, -32603, "The session's worker has ended")


class SessionNames:
    """Names of sessions for clients: the worker, the id inside it, and a code that proves both.

    The name of a worker begins with that of its replica, so that a proxy can find the replica.
    """

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
        worker, _, session = text.rpartition(".")
        return worker, session

    def _code(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()[:_CODE_LENGTH]


class Session:
    """A session of this worker: its id inside it, and how its client opened it.

    `handshake` is the body of its first request, `caller` a digest of its token: a successor of the worker
    opens the session again for requests with the same token. `id` is empty until then.
    """

    def __init__(self, handshake: str, caller: str, id: str = "") -> None:  # noqa: A002 - as in its name
        self.handshake, self.caller, self.id = handshake, caller, id
        self.requests = 0
        self.lock = asyncio.Lock()
        self.moved = asyncio.Event()


class SessionRouter:
    """An ASGI application that has each request of a session answered by the session's worker.

    Sockets of the workers are in `folder`, which only their user may read. `count` reports to the
    supervisor that a relayed stream is opened or closed. A worker that is replaced passes sessions
    without a running request to its successor, by `pass_on`.
    """

    def __init__(
        self,
        app: Application,
        names: SessionNames,
        folder: str,
        count: Callable[[bytes], None],
        pass_on: Callable[[dict[str, str]], None] | None = None,
    ) -> None:
        self._app = app
        self._names = names
        self._folder = Path(folder)
        self._count = count
        self._pass_on = pass_on
        self._sessions: dict[str, Session] = {}
        self._passed: set[str] = set()
        self._adopted = asyncio.Condition()
        self._successors: dict[str, list[str]] = {}
        self._is_retired = self._is_changed = False

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request here, or relay it."""
        name = _session_name(scope) if scope["type"] == "http" else None
        if name is None:
            await self._answer_first(scope, receive, send)
            return
        # The application finds no session of a forged name, and says so after it has authenticated.
        worker, inner = self._names.parts(name) or (self._names.worker, "-")
        is_here = worker == self._names.worker and name not in self._passed
        if name not in self._sessions and not is_here:
            await self._answer_elsewhere(name, worker, scope, receive, send)
            return
        session = self._sessions.get(name)
        if session is None:
            session = Session("", "", inner)
        elif not session.id and not await self._opened_again(session, scope):
            await _refuse(send, *_GONE)
            return
        with self._counted(scope, OPENED, CLOSED, is_relayed=True):
            await self._answer_here(name, session, scope, receive, send)

    @contextlib.contextmanager
    def _counted(
        self, scope: Message, begun: bytes, ended: bytes, *, is_relayed: bool
    ) -> Iterator[None]:
        """Report the beginning and end of a stream, if it came from another worker or did not.

        It stays open as long as its session. If it counted where it arrived, all sessions would be
        opened by the worker without these streams.
        """
        is_counted = scope["method"] == "GET" and bool(scope.get(_RELAYED)) is is_relayed
        if is_counted:
            self._count(begun)
        try:
            yield
        finally:
            if is_counted:
                self._count(ended)

    async def _answer_here(
        self, name: str, session: Session, scope: Message, receive: Receive, send: Send
    ) -> None:
        scope = {**scope, "headers": _replaced(scope["headers"], session.id)}
        send = _renaming(send, lambda _: name)
        if scope["method"] == "GET" and self._pass_on is not None:
            await self._answer_until_moved(session, scope, receive, send)
            return
        session.requests += 1
        try:
            await self._app(scope, receive, send)
        finally:
            session.requests -= 1
            if scope["method"] == "DELETE":
                self._sessions.pop(name, None)
            if self._is_retired:
                self._pass_if_idle(name)

    async def _answer_first(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request without a session, which may open one."""
        if self._pass_on is None or scope["type"] != "http":
            await self._app(scope, receive, _renaming(send, self._names.seal))
            return
        parts: list[bytes] = []

        async def read() -> Message:
            message = await receive()
            if len(parts) <= _LONGEST_HANDSHAKE:
                parts.append(message.get("body", b""))
            return message

        def opened(inner: str) -> str:
            name = self._names.seal(inner)
            handshake = b"".join(parts).decode("latin-1")
            self._sessions[name] = Session(handshake, _caller(scope), inner)
            if len(self._sessions) > _MOST_SESSIONS:
                del self._sessions[next(iter(self._sessions))]
            if self._is_retired:
                asyncio.get_running_loop().call_soon(self._pass_if_idle, name)
            return name

        await self._app(scope, read, _renaming(send, opened))

    async def _answer_elsewhere(
        self, name: str, worker: str, scope: Message, receive: Receive, send: Send
    ) -> None:
        """Relay a request to the session's worker, or to the successors of that one, oldest first.

        Sessions move to later workers only. So a worker that gets a relayed request, and does not have
        the session, relays it to its own successors, and the last one waits for the session.
        """
        own = self._names.worker
        is_relayed = bool(scope.get(_RELAYED))
        if is_relayed:
            workers = self._successors.get(own, [])
        else:
            workers = [worker, *self._successors.get(worker, [])]
        for candidate in workers:
            if candidate == own:
                continue
            try:
                streams = await asyncio.open_unix_connection(self._folder / candidate)
            except OSError:
                continue
            with self._counted(scope, CLOSED, OPENED, is_relayed=False):
                await _relay(streams, scope, receive, send)
            return
        if is_relayed:
            # Its worker has passed the session on, and the message is on its way.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_ADOPTION_SECONDS), self._adopted:
                    await self._adopted.wait_for(lambda: name in self._sessions)
                await self(scope, receive, send)
                return
        await _refuse(send, *_GONE)

    async def _opened_again(self, session: Session, scope: Message) -> bool:
        """Open a session here as its client did elsewhere; return whether the caller may use it."""
        if not hmac.compare_digest(session.caller, _caller(scope)):
            return False
        async with session.lock:
            if not session.id:
                handshake = session.handshake.encode("latin-1")
                session.id = await _post(self._app, scope, handshake, "")
                if session.id:
                    await _post(self._app, scope, _INITIALIZED, session.id)
        return bool(session.id)

    async def _answer_until_moved(
        self, session: Session, scope: Message, receive: Receive, send: Send
    ) -> None:
        """Answer a stream of messages, and end it once the session has moved, with a notification if the list has changed."""
        is_open = False

        async def watched(message: Message) -> None:
            nonlocal is_open
            is_open = message["type"] == "http.response.start" or bool(message.get("more_body"))
            await send(message)

        answering = asyncio.ensure_future(self._app(scope, receive, watched))
        moving = asyncio.ensure_future(session.moved.wait())
        try:
            await asyncio.wait((answering, moving), return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answering.result()
        finally:
            moving.cancel()
            answering.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await answering
        if is_open and session.moved.is_set():
            last = _LIST_CHANGED if self._is_changed else b""
            await send({"type": "http.response.body", "body": last, "more_body": False})

    def retire(self, *, is_changed: bool) -> None:
        """Pass sessions on, each once it has no running request; `is_changed` is about the list."""
        self._is_retired, self._is_changed = True, is_changed
        for name in list(self._sessions):
            self._pass_if_idle(name)

    def _pass_if_idle(self, name: str) -> None:
        session = self._sessions.get(name)
        if session is None or session.requests or self._pass_on is None:
            return
        del self._sessions[name]
        self._passed.add(name)
        session.moved.set()
        self._pass_on({"name": name, "handshake": session.handshake, "caller": session.caller})

    async def adopt(self, message: dict[str, str]) -> None:
        """Take over a session."""
        async with self._adopted:
            self._sessions[message["name"]] = Session(message["handshake"], message["caller"])
            self._adopted.notify_all()
        if self._is_retired:
            self._pass_if_idle(message["name"])

    def succeed(self, successors: dict[str, list[str]]) -> None:
        """Note which workers have the sessions of each one that was replaced, oldest first."""
        self._successors = successors

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
    return next(iter(header(scope, _HEADER)), None)


def _caller(scope: Message) -> str:
    """Return a digest of the caller's token; that of nothing without one."""
    tokens = header(scope, b"authorization")
    return sha256("\0".join(tokens).encode("latin-1")).hexdigest()


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


async def _post(app: Application, scope: Message, body: bytes, session: str) -> str:
    """Post a message as the client of a request; return the session that it opens or has."""
    of_request = (_HEADER, b"content-length", b"content-type", b"accept", b"mcp-protocol-version")
    headers = [pair for pair in scope["headers"] if pair[0] not in of_request]
    headers += [
        (b"content-type", b"application/json"),
        (b"accept", b"application/json, text/event-stream"),
        (b"content-length", str(len(body)).encode()),
    ]
    if session:
        headers.append((_HEADER, session.encode()))
    messages = iter(({"type": "http.request", "body": body, "more_body": False},))
    is_answered = asyncio.Event()
    opened = ""

    async def receive() -> Message:
        for message in messages:
            return message
        await is_answered.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal opened
        if message["type"] == "http.response.start" and message["status"] < _FIRST_ERROR:
            opened = _session_name({"headers": message["headers"]}) or ""
        elif not message.get("more_body"):
            is_answered.set()

    await app({**scope, "method": "POST", "headers": headers}, receive, send)
    return opened


async def _relay(
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    scope: Message,
    receive: Receive,
    send: Send,
) -> None:
    """Have another worker answer a request, part by part as it answers.

    If it ends during the request, the outcome is unknown.
    """
    reader, writer = streams
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
        # Until it has ended, it may read the request, which may be a relayed one whose rest is read next.
        await asyncio.wait([upload])


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
        _RELAYED: True,
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
        return
    # An application may answer before it has read the request. Closing now would break the other worker's
    # upload, and with it the connection from which that worker has yet to read the response.
    with contextlib.suppress(OSError):
        while await reader.read(_CHUNK):
            pass


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
