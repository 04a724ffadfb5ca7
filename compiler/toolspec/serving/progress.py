"""Progress notifications of a call: increasing, in order, and only if requested."""

from __future__ import annotations

import asyncio
import contextlib
import math
import sys
from collections import deque
from typing import TYPE_CHECKING

import anyio

from toolspec.runtime.progress import Progress
from toolspec.serving.results import utf8

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeAlias

    Send: TypeAlias = Callable[[float, float | None, str | None], Awaitable[None]]

_WAITING = 1000
"""Maximum number of waiting messages for a slow client; a newer one replaces the newest."""

_NO_TOTAL = -1.0
"""Total of a text report without a total, which would otherwise look like a chunk.

Sent only to toolspec clients, which alone read chunks from progress messages.
"""


def progress_of(progress: float, total: float | None, message: str | None) -> Progress:
    """Return the report that a progress message was made from."""
    total = None if total == _NO_TOTAL else total
    value: float | None = progress
    if 0 < progress < sys.float_info.min:  # steps from 0, which are no number of the handler's
        value = None if total is None else 0.0
    return Progress(value=value, total=total, message=message)


class Outbox:
    """Sends messages in the background, in order; for a slow client, a newer replaces the newest."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], Awaitable[None]]] = deque()
        self._sender: asyncio.Task[None] | None = None

    def put(self, send: Callable[[], Awaitable[None]]) -> None:
        """Send a message as soon as the client accepts it."""
        if len(self._waiting) >= _WAITING:
            self._waiting.pop()
        self._waiting.append(send)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._forward())

    async def flushed(self) -> None:
        """Wait until all messages so far have been sent."""
        if self._sender is not None:
            await self._sender

    def drop(self) -> None:
        """Stop sending."""
        if self._sender is not None:
            self._sender.cancel()

    async def _forward(self) -> None:
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            while self._waiting:
                await self._waiting.popleft()()


class Reporter(Outbox):
    """Sends reports in the background, in order, with increasing numbers.

    Reports without a number, and chunks, raise the number by the smallest step, so that numbers of
    the handler stay what they are and a bar does not pass its total. With `marks`, no report looks
    like a chunk; decode them with `progress_of`. `chunks` counts chunks sent or skipped.
    """

    def __init__(self, send: Send, *, marks: bool = False) -> None:
        super().__init__()
        self._send = send
        self._marks = marks
        self._reached = -math.inf
        self._has_number = False
        self.chunks = 0
        self._skipped = 0

    def skip(self, chunks: int) -> None:
        """Skip the first `chunks` chunks, which the client already has."""
        self._skipped = chunks

    def listen(self, report: Progress) -> None:
        """Queue a handler's report, sent as soon as the client accepts it."""
        number = self._number(report)
        if number is None:
            return
        self._reached = number
        total = _sendable(report.total)
        message = None if report.message is None else utf8(report.message)
        if self._marks and total is None and message is not None:
            total = _NO_TOTAL
        self.put(lambda: self._send(number, total, message))

    async def chunk(self, text: str) -> None:
        """Send a chunk of a stream, and wait until it is accepted."""
        await self.flushed()
        self._reached = self._step()
        if self.chunks >= self._skipped:
            await self._send(self._reached, None, text)
        self.chunks += 1

    def _number(self, report: Progress) -> float | None:
        """Return the number to send; None for a report without news."""
        value = _sendable(report.value)
        is_news = not self._has_number or report.message is not None
        self._has_number = self._has_number or value is not None
        if value is not None and value > self._reached:
            return value
        return self._step() if is_news else None

    def _step(self) -> float:
        """Return the next number after the last one, or after 0."""
        reached = 0.0 if self._reached == -math.inf else self._reached
        return math.nextafter(reached, math.inf)


def _sendable(number: float | None) -> float | None:
    """Return a number that the protocol can carry; None for larger integers."""
    return number if number is not None and abs(number) <= sys.float_info.max else None
