"""Versions of a tool: exact names, and the version that a bare name resolves to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.ir import Tool

Precedence = tuple[tuple[int, int, str], ...]


def exact_name(tool: Tool) -> str:
    """Return the name of this tool and version; no two tools share one."""
    return f"{tool.names.full}@{tool.version}" if tool.version else tool.names.full


def answering(tools: Iterable[Tool]) -> list[Tool]:
    """Return the highest version of each tool, in the order passed."""
    highest: dict[str, Tool] = {}
    every = list(tools)
    for tool in every:
        other = highest.get(tool.names.full)
        if other is None or precedence(other.version) < precedence(tool.version):
            highest[tool.names.full] = tool
    return [tool for tool in every if highest[tool.names.full] is tool]


def precedence(version: str) -> Precedence:
    """Return a sort key: numbers as numbers, a pre-release before its release, no version lowest.

    The runtime's registry has the same order.
    """
    if not version:
        return ()
    release, _, early = version.partition("+")[0].partition("-")
    numbers = tuple(map(_part, release.split(".")))
    if not early:
        return (*numbers, (0, 1, ""))
    return (*numbers, (0, 0, ""), *map(_part, early.split(".")))


def _part(word: str) -> tuple[int, int, str]:
    return (1, int(word), "") if word.isdecimal() else (2, 0, word)
