"""The listening socket, and messages between a supervisor and its workers."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any

    from toolspec.serving.options import Options

CLOSED, OPENED, RETURNED, TAKEN = b"c", b"o", b"r", b"t"
"""Reports of a worker: a connection is closed, one comes back, the one passed to it is taken.

A stream that is relayed counts for the worker that answers it: that one reports it as opened, and the
worker that relays it as closed.
"""


LONGEST_MESSAGE = 1 << 24
"""Bytes of a message between a supervisor and a worker."""


async def messages(channel: socket.socket) -> AsyncIterator[dict[str, Any]]:
    """Yield the messages that the supervisor sends over a channel, until it ends."""
    reader, _ = await asyncio.open_connection(sock=channel, limit=LONGEST_MESSAGE)
    while line := await reader.readline():
        yield json.loads(line)


def listening_socket(options: Options) -> socket.socket:
    """Return a bound socket that does not listen yet. Raises ServeError if the address is in use."""
    try:
        if options.unix_socket:
            return _UnixSocket(Path(options.unix_socket))
        return _tcp_socket(options.host, options.port)
    except (OSError, OverflowError) as problem:
        place = f"`{options.unix_socket}`" if options.unix_socket else options.host
        port = "" if options.unix_socket else f", port {options.port}"
        text = f"HTTP cannot be served on {place}{port}: {problem}"
        raise ServeError(text) from problem


def _tcp_socket(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit it; without it each response waits for the client's delayed
        # acknowledgement: 44 ms a call.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.bind((host, port))
    except BaseException:
        listening.close()
        raise
    return listening


class _UnixSocket(socket.socket):
    """A bound Unix socket, whose file has the permissions of the umask and goes when it is closed."""

    def __init__(self, file: Path) -> None:
        super().__init__(socket.AF_UNIX)
        self._file = file
        self._inode = 0
        try:
            _remove_abandoned(file)
            self.bind(str(file))
            self._inode = file.stat().st_ino
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the socket and remove its file, unless another server has replaced that."""
        super().close()
        with suppress(FileNotFoundError):
            if self._inode and self._file.stat().st_ino == self._inode:
                self._file.unlink()
            self._inode = 0


def _remove_abandoned(file: Path) -> None:
    """Remove a socket that no process listens on, as a killed server leaves it."""
    with suppress(FileNotFoundError):
        if not file.is_socket():
            return
        with socket.socket(socket.AF_UNIX) as probe, suppress(ConnectionRefusedError):
            probe.connect(str(file))
            return
        file.unlink()
