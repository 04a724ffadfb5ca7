"""The front door of `compile`: where nothing changed since the same command, its answer once more.

Everything that it loads is counted by a test: the way through the application takes ten times as long.
"""

from __future__ import annotations

import os
import sys

from toolspec.cli.color import wants_color
from toolspec.driver.record import recall
from toolspec.version import __version__


def answer() -> int | None:
    """Print what this command would say and return its status; None where it has to be run."""
    if sys.argv[1:2] != ["compile"]:
        return None
    known = recall(os.getcwd(), key())  # noqa: PTH109 - pathlib is not loaded yet
    if known is None:
        return None
    status, text = known
    sys.stdout.write(text)
    return status


def key() -> str:
    """Return in one line what, besides files, decides the answer of this process's command."""
    place = os.getcwd()  # noqa: PTH109 - pathlib is not loaded yet
    return repr((__version__, sys.version, place, wants_color(sys.stdout), sys.argv[1:]))
