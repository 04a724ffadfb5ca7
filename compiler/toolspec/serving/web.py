"""Processes of an HTTP server; imports uvicorn."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.supervisors import Multiprocess

from toolspec.serving.shutdown import LAST_SECONDS, Shutdown

if TYPE_CHECKING:
    from types import FrameType

_CANCELLED_SECONDS = 1
"""Seconds for cancelled work and other cleanup."""


def serve(config: uvicorn.Config) -> None:
    """Serve until stopped. Raises KeyboardInterrupt if that was Ctrl-C."""
    config.timeout_graceful_shutdown = LAST_SECONDS
    if config.workers == 1:
        _Server(config).run()
        return
    workers = _Workers(config, [listening_socket(config)])
    workers.run()
    if workers.was_interrupted:
        raise KeyboardInterrupt


def listening_socket(config: uvicorn.Config) -> socket.socket:
    """Return the socket on which all workers accept connections."""
    listening = config.bind_socket()
    # Connections inherit it. asyncio sets it only on sockets it creates; without it each response
    # waits for the client's delayed acknowledgement: 44 ms a call.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


class _Server(uvicorn.Server):
    """A server whose process exits in time, even if a handler blocks its loop or a thread."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = Shutdown(LAST_SECONDS + _CANCELLED_SECONDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start the shutdown, as signal handler."""
        self._ending.begin(128 + sig)
        super().handle_exit(sig, frame)


class _Workers(Multiprocess):
    """Several processes of a server; those that do not exit in time are killed."""

    was_interrupted = False

    def handle_int(self) -> None:
        """Start the shutdown after Ctrl-C."""
        self.was_interrupted = True
        super().handle_int()

    def join_all(self) -> None:
        """Wait for the stopping processes."""
        end = time.monotonic() + LAST_SECONDS + _CANCELLED_SECONDS
        for process in self.processes:
            process.process.join(max(0.0, end - time.monotonic()))
            if process.exitcode is None:
                process.kill()
        super().join_all()
