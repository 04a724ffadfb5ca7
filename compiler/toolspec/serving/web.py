"""Web server of one process; imports uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from toolspec.serving.connection_limits import IDLE_SECONDS, ConnectionLimits, LimitedConnection
from toolspec.serving.connections import CLOSED, TAKEN
from toolspec.serving.shutdown import CANCELLED_SECONDS, LAST_SECONDS, Shutdown

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

    from starlette.applications import Starlette

    from toolspec.serving.sessions import SessionRouter


def serve(app: Starlette, limits: ConnectionLimits, listening: socket.socket) -> None:
    """Serve on a socket until stopped. Raises KeyboardInterrupt if that was Ctrl-C."""
    _Server(_config(app, limits)).run([listening])


def serve_passed(
    router: SessionRouter,
    limits: ConnectionLimits,
    control: socket.socket,
    passing: socket.socket,
    ready: Callable[[], None],
) -> None:
    """Serve the connections that a supervisor passes until it ends; call `ready` at the start."""
    _WorkerServer(router, limits, control, passing, ready).run()


def _config(app: Starlette | SessionRouter, limits: ConnectionLimits) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=partial(LimitedConnection, limits=limits),  # type: ignore[arg-type]  # makes a protocol
        ws="none",
        backlog=limits.accepted,
        timeout_keep_alive=IDLE_SECONDS,
        log_level="warning",
        log_config=None,
        proxy_headers=False,  # the application trusts the proxies that its options name
        timeout_graceful_shutdown=LAST_SECONDS,
    )


class _Server(uvicorn.Server):
    """A server whose process exits in time, even if a handler blocks its loop or a thread."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = Shutdown(LAST_SECONDS + CANCELLED_SECONDS)

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
        control: socket.socket,
        passing: socket.socket,
        ready: Callable[[], None],
    ) -> None:
        super().__init__(_config(router, limits))
        self._router = router
        self._control = control
        self._passing = passing
        self._ready = ready
        self._opening: set[asyncio.Task[None]] = set()

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
        for channel in (self._control, self._passing):
            channel.setblocking(False)  # noqa: FBT003 - its only argument
        loop.add_reader(self._passing, self._take)
        loop.add_reader(self._control, self._read_messages)
        self.started = True
        self._ready()

    def _read_messages(self) -> None:
        """End the process if the supervisor has ended."""
        try:
            message = self._control.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            message = b""
        if not message:
            asyncio.get_running_loop().remove_reader(self._control)
            signal.raise_signal(signal.SIGTERM)

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
