"""Exit statuses of all commands (diagnostics.md)."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit status of a command; `DIAGNOSTICS` also means an error of a called tool."""

    CLEAN = 0
    DIAGNOSTICS = 1
    USAGE = 2
    INTERNAL = 70
    INTERRUPTED = 130
