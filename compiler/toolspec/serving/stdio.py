"""The streams of a server on stdio, which tell calls when their response has been written."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING

import anyio
import mcp_types as types

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self, TextIO

    from mcp.shared._stream_protocols import WriteStream
    from mcp.shared.message import SessionMessage

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
) -> Iterator[tuple[anyio.AsyncFile[str], anyio.AsyncFile[str]]]:
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
    source = TextIOWrapper(os.fdopen(reading, "rb", closefd=False), errors="replace", **options)
    target = TextIOWrapper(os.fdopen(writing, "wb", closefd=False), **options)
    try:
        yield anyio.wrap_file(source), _ClientOutput(target, responses)
    finally:
        os.dup2(reading, _STDIN)
        os.dup2(writing, _STDOUT)
