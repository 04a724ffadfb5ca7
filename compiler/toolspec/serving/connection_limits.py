"""Connections of an HTTP server: how long each may keep it waiting, and how many there are."""

from __future__ import annotations

import logging
import resource
import time
from typing import TYPE_CHECKING

from uvicorn.protocols.http.h11_impl import H11Protocol

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from typing import Any

    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

    from toolspec.serving.options import Options

CONNECTION = "toolspec.connection"
"""The key of a request's state with its connection."""

IDLE_SECONDS = 5
"""Time without a request after a response."""

READ_SECONDS = 60.0
"""Time in which a client has to read some of a response."""

_MOST_CONNECTIONS = 10_000
_MOST_ACCEPTED = 2048
_LOG_SECONDS = 60.0
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

_log = logging.getLogger("toolspec")


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of the connections of one process.

    At most `most` are open, and `accepted` are accepted in one go. A client has `head_timeout` seconds
    for the head of a request, from the start or the response before, and `body_timeout` for its body.
    """

    most: int
    accepted: int
    head_timeout: float = 10
    body_timeout: float = 60
    read_timeout: float = READ_SECONDS

    @staticmethod
    def of(options: Options) -> ConnectionLimits:
        """Return the limits of a server; by default, half of the descriptors are for connections."""
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        descriptors = soft if soft != resource.RLIM_INFINITY else 1 << 20
        return ConnectionLimits(
            most=options.max_connections or min(_MOST_CONNECTIONS, descriptors // 2),
            accepted=min(_MOST_ACCEPTED, descriptors // 8),
            head_timeout=options.head_timeout,
            body_timeout=options.body_timeout,
        )


class LimitedConnection(H11Protocol):
    """A connection that ends when its client keeps the server waiting.

    Beyond the limit of connections a new one takes the place of the one that has waited longest for
    its client. Only if all of them have a response to come is it refused.
    """

    def __init__(self, *arguments: Any, limits: ConnectionLimits, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.app_state = {**self.app_state, CONNECTION: self}
        self.on_lost: Callable[[], None] | None = None
        """Called when the client leaves during a request; set by the application."""
        self._limits = limits
        self._phase = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Begin to wait for a request, or refuse it."""
        super().connection_made(transport)
        if len(self.connections) > self._limits.most:
            longest = next(iter(_waiting), None)
            if longest is None:
                _report_busy(self._limits.most)
                transport.write(_BUSY)
                transport.close()
                return
            longest.end()
        self._enter("head")

    def data_received(self, data: bytes) -> None:
        """Handle bytes, which may complete a head or a body."""
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()
        self._enter("")
        self.resume_writing()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._reading = self.loop.call_later(self._limits.read_timeout, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop waiting for the client to read."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def end(self) -> None:
        """End the connection at once."""
        self._enter("")
        self.transport.abort()

    def _follow(self) -> None:
        """Enter the phase of the request: its head, its body, or its response."""
        cycle: RequestResponseCycle | None = self.cycle
        if self.transport.is_closing():
            self._enter("")
        elif cycle is None or cycle.response_complete:
            self._enter("head")
        else:
            self._enter("body" if cycle.more_body else "response")

    def _enter(self, phase: str) -> None:
        """Enter a phase: a deadline begins with it and ends with it, whatever arrives in between."""
        if phase == self._phase:
            return
        self._phase = phase
        _waiting.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if phase in ("head", "body"):
            _waiting[self] = None
            limits = self._limits
            seconds = limits.head_timeout if phase == "head" else limits.body_timeout
            self._deadline = self.loop.call_later(seconds, self.end)


_waiting: dict[LimitedConnection, None] = {}
"""Connections of this process that wait for their clients, the longest first."""


def _report_busy(connections: int) -> None:
    """Log that a connection was refused, once a minute."""
    global _next_report  # noqa: PLW0603 - one log a process
    now = time.monotonic()
    if now >= _next_report:
        _next_report = now + _LOG_SECONDS
        _log.warning("new connections are refused: %s connections wait for responses", connections)


_next_report = 0.0
