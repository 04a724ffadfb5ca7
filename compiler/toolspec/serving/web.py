"""The processes of an HTTP server: uvicorn's, whose end is bounded and told to who started them."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.supervisors import Multiprocess

from toolspec.serving.ending import LAST_SECONDS, Ending

if TYPE_CHECKING:
    from types import FrameType

_CANCELLED_SECONDS = 1
"""For what those do that were cancelled then, and for the end of everything else."""


def serve(config: uvicorn.Config) -> None:
    """Serve until the process is told to stop. Raises KeyboardInterrupt where that was a Ctrl-C."""
    config.timeout_graceful_shutdown = LAST_SECONDS
    if config.workers == 1:
        _Server(config).run()
        return
    workers = _Workers(config, [listening_socket(config)])
    workers.run()
    if workers.was_interrupted:
        raise KeyboardInterrupt


def listening_socket(config: uvicorn.Config) -> socket.socket:
    """Return the socket that all workers accept connections from."""
    listening = config.bind_socket()
    # Connections inherit it. asyncio sets it only on sockets of its own making, and without it
    # each answer waits for the client's delayed acknowledgement: 44 ms a call.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


class _Server(uvicorn.Server):
    """A server whose process ends in time, though a handler blocks its loop or hangs in a thread."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = Ending(LAST_SECONDS + _CANCELLED_SECONDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end, as the signal's handler."""
        self._ending.begin(128 + sig)
        super().handle_exit(sig, frame)


class _Workers(Multiprocess):
    """Several processes of a server; those that do not end in time are killed."""

    was_interrupted = False

    def handle_int(self) -> None:
        """Begin to end, after a Ctrl-C."""
        self.was_interrupted = True
        super().handle_int()

    def join_all(self) -> None:
        """Wait for the processes, which have been told to stop."""
        end = time.monotonic() + LAST_SECONDS + _CANCELLED_SECONDS
        for each in self.processes:
            each.process.join(max(0.0, end - time.monotonic()))
            if each.exitcode is None:
                each.kill()
        super().join_all()
