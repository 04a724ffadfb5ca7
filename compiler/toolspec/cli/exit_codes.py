"""What a verb's exit status means; one table for all of them (diagnostics.md)."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit status of every verb."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INTERNAL = 70
    INTERRUPTED = 130
