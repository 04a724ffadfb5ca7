"""The output of a command at a terminal."""

from __future__ import annotations

import os


def read_to_end(terminal: int) -> bytes:
    """Return what the processes at the other end write until the last one closes it; close this end."""
    seen = b""
    try:
        while chunk := os.read(terminal, 65536):
            seen += chunk
    except OSError:  # Linux ends a terminal with EIO
        pass
    os.close(terminal)
    return seen
