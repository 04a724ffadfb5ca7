"""Safety classes of tools: read-only, writing, destructive; idempotent, open-world."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.ir import Tool

READ_ONLY = "readOnly"
WRITES = "writes"
DESTRUCTIVE = "destructive"
IDEMPOTENT = "idempotent"
OPEN_WORLD = "openWorld"
CLASSES = (READ_ONLY, WRITES, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD)


def by_safety(tools: Iterable[Tool]) -> dict[str, tuple[Tool, ...]]:
    """Return the tools of each class in the order passed.

    Every tool is in exactly one of `readOnly`, `writes` and `destructive`; the other two overlap
    them.
    """
    every = tuple(tools)
    return {
        READ_ONLY: tuple(each for each in every if each.annotations.read_only),
        WRITES: tuple(each for each in every if _writes(each)),
        DESTRUCTIVE: tuple(each for each in every if _destroys(each)),
        IDEMPOTENT: tuple(each for each in every if each.annotations.idempotent),
        OPEN_WORLD: tuple(each for each in every if each.annotations.open_world),
    }


def _writes(tool: Tool) -> bool:
    return not tool.annotations.read_only and not tool.annotations.destructive


def _destroys(tool: Tool) -> bool:
    return not tool.annotations.read_only and tool.annotations.destructive
