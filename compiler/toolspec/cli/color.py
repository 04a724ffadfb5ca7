"""Color detection, kept apart because even a compile with nothing to do needs it."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def wants_color(stream: TextIO) -> bool:
    """Return whether to print colors: in a terminal, unless it is dumb or NO_COLOR is set."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
