"""Web server of one process; imports uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import signal
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING

import h11
import uvicorn
from sse_starlette.sse import AppStatus
from uvicorn.config import STARTUP_FAILURE

from toolspec.serving.connection_limits import IDLE_SECONDS, ConnectionLimits, LimitedConnection
from toolspec.serving.connections import CLOSED, RETURNED, TAKEN, messages
from toolspec.serving.shutdown import CANCELLED_SECONDS, Shutdown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType
    from typing import Any

    from starlette.applications import Starlette

    from toolspec.serving.in_flight import InFlight
    from toolspec.serving.server import ReloadableServer
    from toolspec.serving.sessions import SessionRouter


_RETIRED_SECONDS, _RETIRED_PAUSE = 300, 0.02
"""Seconds in which a replaced worker may finish requests and tasks, and between two searches for idle connections."""


def serve(app: Starlette, limits: ConnectionLimits, listening: socket.socket) -> None:
    """Serve on a socket until stopped. Raises KeyboardInterrupt if that was Ctrl-C."""
    in_flight = app.state.server.in_flight
    _Server(_config(app, limits, in_flight), in_flight).run([listening])


def serve_passed(
    router: SessionRouter,
    limits: ConnectionLimits,
    application: ReloadableServer,
    channels: Sequence[socket.socket],
    ready: Callable[[], None],
) -> None:
    """Serve the connections that a supervisor passes until it ends; call `ready` at the start.

    `channels` are sockets to the supervisor, for messages and for connections.
    """
    _WorkerServer(router, limits, application, channels, ready).run()


def _config(
    app: Starlette | SessionRouter, limits: ConnectionLimits, in_flight: InFlight
) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=partial(LimitedConnection, limits=limits),  # type: ignore[arg-type]  # makes a protocol
        ws="none",
        backlog=limits.accepted,
        timeout_keep_alive=IDLE_SECONDS,
        log_level="warning",
        log_config=None,
        proxy_headers=False,  # the application trusts the proxies that its options name
        timeout_graceful_shutdown=math.ceil(in_flight.seconds) + CANCELLED_SECONDS,
    )


def _is_no_advice(record: logging.LogRecord) -> bool:
    """Return False for uvicorn's advice to install a WebSocket library, which no server here uses.

    Any client can cause it. The record before it says that the request was for an upgrade.
    """
    return not record.getMessage().startswith("No supported WebSocket library")


class _Server(uvicorn.Server):
    """A server whose process exits in time, even if a handler blocks its loop or a thread."""

    def __init__(self, config: uvicorn.Config, in_flight: InFlight) -> None:
        super().__init__(config)
        # Otherwise answers of calls in flight are cut off: `EndingRequests` ends streams in time.
        AppStatus.disable_automatic_graceful_drain()  # type: ignore[no-untyped-call]
        logging.getLogger("uvicorn.error").addFilter(_is_no_advice)
        self._in_flight = in_flight
        self._ending = Shutdown(in_flight.seconds + CANCELLED_SECONDS + 1)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the server once the calls in flight have ended, in time."""
        ending = asyncio.create_task(self._in_flight.end())
        await super().shutdown(sockets)
        ending.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start the shutdown, as signal handler."""
        self._ending.begin(128 + sig)
        super().handle_exit(sig, frame)


class _WorkerServer(_Server):
    """A server of connections that another process accepts."""

    def __init__(
        self,
        router: SessionRouter,
        limits: ConnectionLimits,
        application: ReloadableServer,
        channels: Sequence[socket.socket],
        ready: Callable[[], None],
    ) -> None:
        super().__init__(_config(router, limits, application.in_flight), application.in_flight)
        self._router = router
        self._application = application
        self._control, self._passing = channels
        self._ready = ready
        self._opening: set[asyncio.Task[None]] = set()
        self._retiring: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start the shutdown; a Ctrl-C reaches all processes, and its supervisor decides."""
        if sig != signal.SIGINT:
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, and read the supervisor's connections."""
        del sockets
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        self.servers: list[Any] = [await self._router.listen(self.server_state.tasks)]
        loop = asyncio.get_running_loop()
        self._passing.setblocking(False)  # noqa: FBT003 - its only argument
        loop.add_reader(self._passing, self._take)
        self._reading = loop.create_task(self._read_messages())
        self.started = True
        self._ready()

    async def _read_messages(self) -> None:
        """Follow the supervisor's messages, and end when it ends."""
        async for message in messages(self._control):
            if "adopt" in message:
                await self._router.adopt(message["adopt"])
            if "successors" in message:
                self._router.succeed(message["successors"])
            if "retire" in message and self._retiring is None:
                is_changed = message["retire"] == "changed"
                self._retiring = asyncio.ensure_future(self._retire(is_changed=is_changed))
        signal.raise_signal(signal.SIGTERM)

    async def _retire(self, *, is_changed: bool) -> None:
        """Give idle connections back, and end once all requests and tasks have."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _RETIRED_SECONDS
        if (changes := self._application.changes) is not None:
            await changes.end(is_changed=is_changed)
        is_passing = False
        while loop.time() < end:
            if not is_passing and not self._application.has_tasks:
                is_passing = True
                self._router.retire(is_changed=is_changed)
            for connection in list(self.server_state.connections):
                self._give_back_if_idle(connection)
            is_used = self.server_state.tasks or self.server_state.connections or self._opening
            if is_passing and not is_used:
                break
            await asyncio.sleep(_RETIRED_PAUSE)
        self.should_exit = True

    def _give_back_if_idle(self, connection: Any) -> None:
        """Pass a connection between two requests to the supervisor, with all that it has not read."""
        transport, cycle = connection.transport, connection.cycle
        is_idle = (
            not transport.is_closing()
            and (cycle is None or cycle.response_complete)
            and connection.conn.their_state is h11.IDLE
            and not connection.conn.trailing_data[0]
            and not transport.get_write_buffer_size()
        )
        if not is_idle:
            return
        with contextlib.suppress(BlockingIOError):
            descriptor = transport.get_extra_info("socket").fileno()
            socket.send_fds(self._passing, [RETURNED], [descriptor])
            transport.abort()  # closes this process's descriptor only

    def _take(self) -> None:
        """Take one passed connection."""
        try:
            word, descriptors, *_ = socket.recv_fds(self._passing, 1, 1)
        except OSError:
            return
        if not word:  # the supervisor has ended
            asyncio.get_running_loop().remove_reader(self._passing)
            return
        self._report(TAKEN)
        for descriptor in descriptors:
            opening = asyncio.ensure_future(self._open(socket.socket(fileno=descriptor)))
            self._opening.add(opening)
            opening.add_done_callback(self._opening.discard)

    async def _open(self, connection: socket.socket) -> None:
        connection.setblocking(False)  # noqa: FBT003 - its only argument
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(self._protocol, connection)
        except OSError:  # the client is gone
            connection.close()
            self._report(CLOSED)

    def _protocol(self) -> asyncio.Protocol:
        protocol = self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn does
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        lost = protocol.connection_lost

        def connection_lost(problem: Exception | None) -> None:
            lost(problem)
            self._report(CLOSED)

        protocol.connection_lost = connection_lost  # type: ignore[assignment, method-assign]
        return protocol

    def _report(self, word: bytes) -> None:
        with contextlib.suppress(OSError):
            self._passing.send(word)
