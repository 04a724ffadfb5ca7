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
        READ_ONLY: tuple(tool for tool in every if tool.annotations.read_only),
        WRITES: tuple(tool for tool in every if _writes(tool)),
        DESTRUCTIVE: tuple(tool for tool in every if _is_destructive(tool)),
        IDEMPOTENT: tuple(tool for tool in every if tool.annotations.idempotent),
        OPEN_WORLD: tuple(tool for tool in every if tool.annotations.open_world),
    }


def safety_word(tool: Tool) -> str:
    """Return the class of a tool that excludes the others, in words."""
    if tool.annotations.read_only:
        return "read-only"
    return "destructive" if tool.annotations.destructive else "writes"


def _writes(tool: Tool) -> bool:
    return not tool.annotations.read_only and not tool.annotations.destructive


def _is_destructive(tool: Tool) -> bool:
    return not tool.annotations.read_only and tool.annotations.destructive
