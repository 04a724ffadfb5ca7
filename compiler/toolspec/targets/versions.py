"""Versions of a tool: exact names, and the version that a bare name resolves to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.versions import precedence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.ir import Tool


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
