"""Whether to colour: the one question about a stream that even a compile with nothing to do asks."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def wants_color(stream: TextIO) -> bool:
    """Return whether to colour: in a terminal, unless NO_COLOR is set or the terminal is dumb."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
