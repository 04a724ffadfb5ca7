"""The `python` target: typed handlers, registry, client and types of every service."""

from __future__ import annotations

from toolspec.targets.python.emit import check, emit
from toolspec.targets.python.kinds import KINDS
from toolspec.targets.target import Target

TARGET = Target(
    name="python",
    summary="A typed Python package: handlers to write, registry, client, types.",
    emit=emit,
    check=check,
    kinds=KINDS,
)

__all__ = ["TARGET"]
