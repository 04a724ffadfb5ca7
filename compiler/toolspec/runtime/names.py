"""The table by which calls find tools: full names, aliases and versions, never by taking names apart."""

from __future__ import annotations

from toolspec.runtime.errors import BindError, ToolError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.service import BoundService

    Entry = tuple[BoundService, ToolDefinition]
    T = TypeVar("T")

_NAME_SHOWN = 128
"""Characters of an unknown name that an answer repeats; no tool's name is longer."""


def name_table(services: Iterable[BoundService]) -> dict[str, Entry]:
    """Return which tool answers to which name.

    `name@version` leads to exactly that version; a bare name to the highest, an unversioned tool
    counting as the lowest. Complains (BindError) of every name that leads to two tools.
    """
    table: dict[str, Entry] = {}
    clashes: dict[tuple[int, int], str] = {}
    entries = [(service, tool) for service in services for tool in service.definition.tools]
    for entry in entries:
        tool = entry[1]
        for name in _names(tool):
            other = table.setdefault(name, entry)
            if other is entry:
                continue
            if other[1].version == tool.version:
                clashes.setdefault((id(other[1]), id(tool)), _clash(name, other, entry))
            elif _precedence(other[1].version) < _precedence(tool.version):
                table[name] = entry
    if clashes:
        heading = "these services do not go together: names that lead to two tools"
        raise BindError(heading, tuple(clashes.values()))
    return table


def exact_name(tool: ToolDefinition) -> str:
    """Return the name that leads to this version of a tool alone: `name@version` where it has one."""
    return f"{tool.full_name}@{tool.version}" if tool.version else tool.full_name


def entry_of(table: Mapping[str, T], name: object) -> T | None:
    """Return what a name leads to; None where it leads nowhere, or is no text at all."""
    return table.get(name) if isinstance(name, str) else None


def unknown(table: Iterable[str], name: object) -> ToolError:
    """Return the error for a name that no tool answers to, with the nearest names."""
    import difflib

    if not isinstance(name, str):
        message = f"a tool's name is text, and this one is {type(name).__name__}"
        return ToolError.not_found(message, code="unknown_tool")
    asked = name[:_NAME_SHOWN]
    near = difflib.get_close_matches(asked, tuple(table), n=3)
    hint = f"; did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else ""
    message = f"there is no tool `{asked}`{hint}"
    details = {"tool": asked, "nearest": near}
    return ToolError.not_found(message, code="unknown_tool", details=details)


def _names(tool: ToolDefinition) -> tuple[str, ...]:
    names = (tool.full_name, *tool.aliases)
    return (*names, *(f"{name}@{tool.version}" for name in names)) if tool.version else names


def _clash(name: str, one: Entry, other: Entry) -> str:
    places = " and ".join(
        tool.source or f"service {service.definition.name}" for service, tool in (one, other)
    )
    return f"`{name}`: {places}"


def _precedence(version: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key: numbers as numbers, a pre-release before its release."""
    if not version:
        return ()
    release, _, pre = version.partition("+")[0].partition("-")
    numbers = [_part(part) for part in release.split(".")]
    if not pre:
        return (*numbers, (0, 1, ""))
    return (*numbers, (0, 0, ""), *(_part(part) for part in pre.split(".")))


def _part(text: str) -> tuple[int, int, str]:
    return (1, int(text), "") if text.isdecimal() else (2, 0, text)
