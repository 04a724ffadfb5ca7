"""The listening socket, and words about connections between a supervisor and its workers."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from toolspec.serving.options import Options

CLOSED, RETURNED, TAKEN = b"c", b"r", b"t"
"""What a worker reports: a connection is closed, one comes back, the one passed to it is taken."""


def listening_socket(options: Options) -> socket.socket:
    """Return a bound socket that does not listen yet. Raises ServeError if the address is in use."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit it; without it each response waits for the client's delayed
        # acknowledgement: 44 ms a call.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.bind((options.host, options.port))
    except (OSError, OverflowError) as problem:
        listening.close()
        text = f"HTTP cannot be served on {options.host}, port {options.port}: {problem}"
        raise ServeError(text) from problem
    return listening
