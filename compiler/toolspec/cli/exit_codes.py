"""Exit statuses, one table for all commands (diagnostics.md)."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit status of every command."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INTERNAL = 70
    INTERRUPTED = 130
