"""Bodies of requests: whole, UTF-8, and JSON that every reader takes for the same value."""

from __future__ import annotations

import json
from email.message import Message as MimeHeaders
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, PlainTextResponse

from toolspec.serving.origins import header

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from toolspec.shared.json_values import JsonObject, JsonValue

MOST_BYTES = 4 << 20
"""Maximum size of a body."""

MESSAGE = "toolspec.message"
"""The key of a request's scope with the value of its body."""

_PARSE_ERROR = -32700
_SHOWN = 80
"""Maximum length of a key in a message."""


class BodyCheck:
    """Reads the body of a POST before anything else does, as ASGI middleware.

    A body in another encoding, or with duplicate keys, may mean one thing to a gateway before the
    server and another to the server. A client that disconnects before its end gets no answer, and
    the log no line.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is refused, and pass on any other."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        if not _is_json(scope):
            text = "the body has to be JSON in UTF-8: `content-type: application/json`\n"
            await PlainTextResponse(text, 415)(scope, receive, send)
            return
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > MOST_BYTES:
                text = f"the body has more than {MOST_BYTES} bytes\n"
                await PlainTextResponse(text, 413)(scope, receive, send)
                return
        try:
            value = parsed(body)
        except ValueError as problem:
            await _unreadable(problem)(scope, receive, send)
            return
        pending: list[Message] = [{"type": "http.request", "body": bytes(body)}]

        async def again() -> Message:
            return pending.pop() if pending else await receive()

        await self._app({**scope, MESSAGE: value}, again, send)


def parsed(body: bytes | bytearray) -> JsonValue:
    """Return the value of a body. Raises ValueError saying why it is not one."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None  # noqa: EM101, TRY003 - the reason is the message
    try:
        value: JsonValue = json.loads(text, object_pairs_hook=_members, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None  # noqa: EM101, TRY003 - the same
    return value


def _is_json(scope: Scope) -> bool:
    lines = header(scope, b"content-type")
    encodings = header(scope, b"content-encoding")
    if len(lines) != 1 or any(line.lower() != "identity" for line in encodings):
        return False
    media_type, _, parameters = lines[0].partition(";")
    if media_type.strip().lower() != "application/json":
        return False
    if not parameters:
        return True
    headers = MimeHeaders()
    headers["content-type"] = lines[0]
    return str(headers.get_content_charset("utf-8")).lower() in ("utf-8", "utf8")


def _members(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    seen: set[str] = set()
    twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # None
    raise ValueError(f"the key {json.dumps(twice[:_SHOWN])} occurs twice")  # noqa: EM102, TRY003 - the same


def _no_number(name: str) -> JsonValue:
    raise ValueError(f"{name} is not a number of JSON")  # noqa: EM102, TRY003 - the same


def _unreadable(problem: ValueError) -> Response:
    error = {"code": _PARSE_ERROR, "message": f"Parse error: {problem}"}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)
