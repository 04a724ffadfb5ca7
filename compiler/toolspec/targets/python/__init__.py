"""The `python` target: typed handlers, registry, client and types of every service."""

from __future__ import annotations

from toolspec.targets.python.emit import PATH, check, emit, emit_notes, note
from toolspec.targets.python.kinds import KINDS
from toolspec.targets.target import Shared, Target

TARGET = Target(
    name="python",
    summary="A typed Python package: handlers to write, registry, client, types.",
    emit=emit,
    check=check,
    shared=Shared((PATH,), note, emit_notes),
    kinds=KINDS,
)

__all__ = ["TARGET"]
