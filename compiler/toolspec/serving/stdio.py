"""The streams of a server on stdio: lines that are no message are refused, and calls know when their response is written."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import deque
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, cast

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from toolspec.serving.bodies import parsed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Any, Self, TextIO

    from mcp.shared._stream_protocols import WriteStream

    from toolspec.shared.json_values import JsonObject

_log = logging.getLogger("toolspec")

_INVALID = types.ErrorData(
    code=types.INVALID_REQUEST,
    message="Invalid Request: the line is not one message of JSON-RPC 2.0",
)
_MOST_DIGITS = 20
"""Maximum digits of an id; Python refuses to read very long numbers."""

_STDIN, _STDOUT, _STDERR = 0, 1, 2


class Responses:
    """The responses that calls on stdio wait for.

    Messages are flushed in the order in which they are sent, one by one.
    """

    def __init__(self) -> None:
        self._awaited: dict[types.RequestId, asyncio.Event] = {}
        self._sent: deque[asyncio.Event | None] = deque()

    def responded(self, request: types.RequestId) -> asyncio.Event:
        """Return the event that is set once the response to a request has been written."""
        return self._awaited.setdefault(request, asyncio.Event())

    def cancelled(self, request: types.RequestId | None) -> None:
        """Forget a request that gets no response."""
        if request is not None:
            self._awaited.pop(request, None)

    def sent(self, message: object) -> None:
        """Note the message that is written next."""
        is_response = isinstance(message, (types.JSONRPCResponse, types.JSONRPCError))
        request = message.id if is_response else None  # type: ignore[attr-defined]  # of a response
        self._sent.append(None if request is None else self._awaited.pop(request, None))

    async def written(self) -> None:
        """Wait until all messages have been written, a second at most."""
        with anyio.move_on_after(1):
            while self._sent:  # noqa: ASYNC110 - the last one may have no event
                await anyio.sleep(0.01)

    def flushed(self) -> None:
        """Tell the call of the oldest message that is not yet written."""
        event = self._sent.popleft() if self._sent else None
        if event is not None:
            event.set()


class ResponseStream:
    """A stream of messages to the client that notes each message in `responses`."""

    def __init__(self, inner: WriteStream[SessionMessage], responses: Responses) -> None:
        self._inner = inner
        self._responses = responses

    async def send(self, item: SessionMessage) -> None:
        """Send a message."""
        self._responses.sent(item.message)
        await self._inner.send(item)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class ClientInput(anyio.AsyncFile[str]):
    """The client's lines, without those that are no message, which are answered with an error.

    The SDK would drop them, and their client would wait for ever.
    """

    answers: ResponseStream
    """The stream of the errors; set before the first line is read."""

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines with a message."""
        async for line in super().__aiter__():
            if line.isspace():
                continue
            error = _error_of(line)
            if error is None:
                yield line
                continue
            _log.warning("a line of the client was refused: %s", error.message)
            answer = types.JSONRPCError(jsonrpc="2.0", id=_id_of(line), error=error)
            await self.answers.send(SessionMessage(answer))


def _error_of(line: str) -> types.ErrorData | None:
    """Return why a line is no message, by the rules for bodies over HTTP and those of the SDK, or None."""
    try:
        value = parsed(line.encode("utf-8", "surrogateescape"))
    except ValueError as problem:
        return types.ErrorData(code=types.PARSE_ERROR, message=f"Parse error: {problem}")
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            text = f"Parse error: {first['ctx']['error']}"
            return types.ErrorData(code=types.PARSE_ERROR, message=text)
        return _INVALID
    # The SDK takes a request whose id is no id for a notification.
    is_notification = isinstance(message, types.JSONRPCNotification)
    return _INVALID if is_notification and "id" in cast("JsonObject", value) else None


def _id_of(line: str) -> types.RequestId | None:
    """Return the id of a request that was refused; None if it is unknown, or the line has a response."""
    try:
        message = json.loads(line, parse_int=_id_number)
    except (ValueError, RecursionError):
        return None
    is_request = isinstance(message, dict) and not {"result", "error"} & message.keys()
    number = message.get("id") if is_request else None
    return number if type(number) in (int, str) else None


def _id_number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None


class _ClientOutput(anyio.AsyncFile[str]):
    """The client's stream; after each flush the next message has been written."""

    def __init__(self, file: TextIO, responses: Responses) -> None:
        super().__init__(file)
        self._responses = responses

    async def flush(self) -> None:
        """Write what is buffered, and tell the call that it was the response of."""
        await super().flush()
        self._responses.flushed()


@contextmanager
def client_streams(
    responses: Responses,
) -> Iterator[tuple[ClientInput, anyio.AsyncFile[str]]]:
    """Yield the client's streams. Handlers and their children read nothing, and print to stderr.

    The descriptors stay open: a thread may still wait for the client's next line.
    """
    reading, writing = os.dup(_STDIN), os.dup(_STDOUT)
    nothing, other_end = os.pipe()
    os.dup2(nothing, _STDIN)
    os.dup2(_STDERR, _STDOUT)
    os.close(nothing)
    os.close(other_end)
    options: dict[str, Any] = {"encoding": "utf-8"}
    source = TextIOWrapper(
        os.fdopen(reading, "rb", closefd=False),
        errors="surrogateescape",  # keeps bytes that are not UTF-8, to refuse them
        newline="\n",
        **options,
    )
    target = TextIOWrapper(os.fdopen(writing, "wb", closefd=False), **options)
    try:
        yield ClientInput(source), _ClientOutput(target, responses)
    finally:
        os.dup2(reading, _STDIN)
        os.dup2(writing, _STDOUT)
