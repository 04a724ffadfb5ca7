"""A server on loopback that keeps the bytes of each request and answers as it is told."""

from __future__ import annotations

import socket
import threading
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import unquote, urlsplit


@dataclass
class Received:
    """One request as it came."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return a header; several of one name fail the test."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        assert len(values) < 2, values
        return values[0] if values else None

    @property
    def query(self) -> str:
        return urlsplit(self.target).query

    @staticmethod
    def is_secret(name: str, value: str, secret: str) -> bool:
        """Return whether a header has credentials that contain a text."""
        if name.lower() == "authorization" and value.startswith("Basic "):
            return secret in b64decode(value.removeprefix("Basic ")).decode()
        return secret in value

    def credentials(self, secret: str) -> set[tuple[str, str]]:
        """Return the places and names of parameters, cookies and headers that contain a text."""
        headers = {name.lower(): value for name, value in self.headers}
        cookies = headers.pop("cookie", "").split("; ")
        places = {
            ("header", name)
            for name, value in headers.items()
            if self.is_secret(name, value, secret)
        }
        for place, pairs in (("query", self.query.split("&")), ("cookie", cookies)):
            places |= {
                (place, unquote(pair.partition("=")[0]).lower()) for pair in pairs if secret in pair
            }
        return places


Answer: TypeAlias = bytes | Iterator[bytes]
Reply: TypeAlias = Callable[[Received], Answer]


def response(body: bytes | str = b"", status: int = 200, /, **headers: str) -> bytes:
    """Return a response; `_` in names of headers stands for `-`."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(content)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


def json_response(text: str, status: int = 200, /, **headers: str) -> bytes:
    return response(text, status, Content_Type="application/json", **headers)


@dataclass
class Upstream:
    """The server: `requests` that came, and `reply` for the next ones."""

    port: int
    requests: list[Received] = field(default_factory=list)
    reply: Reply = lambda _: json_response("null")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def last(self) -> Received:
        return self.requests[-1]

    def answers(self, *answers: Answer) -> None:
        """Answer the next requests in turn, and the last answer from then on."""
        left = list(answers)
        self.requests.clear()
        self.reply = lambda _: left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def serving() -> Iterator[Upstream]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        upstream = Upstream(listener.getsockname()[1])
        threading.Thread(target=_accept, args=(listener, upstream), daemon=True).start()
        yield upstream
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, upstream: Upstream) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_talk, args=(connection, upstream), daemon=True).start()


def _talk(connection: socket.socket, upstream: Upstream) -> None:
    with connection, connection.makefile("rb") as stream, suppress(OSError):
        while line := stream.readline():
            method, target, _ = line.decode("latin-1").split(" ")
            headers = []
            while (head := stream.readline().rstrip(b"\r\n")) != b"":
                name, _, value = head.decode("latin-1").partition(":")
                headers.append((name, value.strip()))
            lengths = [int(value) for name, value in headers if name.lower() == "content-length"]
            received = Received(method, target, headers, stream.read(sum(lengths)))
            upstream.requests.append(received)
            answer = upstream.reply(received)
            for piece in [answer] if isinstance(answer, bytes) else answer:
                connection.sendall(piece)
            if not isinstance(answer, bytes):
                return
