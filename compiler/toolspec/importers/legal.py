"""Conversion of foreign names and versions to legal ones (language.md, Names)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.frontend.naming.identifiers import RESERVED_SERVICES

if TYPE_CHECKING:
    from collections.abc import Sequence

_SERVICE = re.compile(r"[a-z][A-Za-z0-9]*(-[a-z0-9]+)*")
_TOOL = re.compile(r"[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*")
_VERSION = re.compile(
    r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?"
    r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
)
_ALIAS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}")
_WORDS = re.compile(r"[A-Za-z0-9]+")
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]+")
_SEPARATORS = re.compile(r"([_-])[_-]*")
# Words that many servers have in their names: they distinguish nothing at either end.
_EMPTY_WORDS = frozenset({"api", "fastmcp", "mcp", "server", "servers"})


def is_service_name(text: str) -> bool:
    """Return whether the text is a legal service name."""
    return _SERVICE.fullmatch(text) is not None and text not in RESERVED_SERVICES


def is_version(text: str) -> bool:
    """Return whether the text is a version by semantic versioning 2.0.0."""
    return _VERSION.fullmatch(text) is not None


def is_alias(text: str) -> bool:
    """Return whether the text is a legal alias of a tool."""
    return _ALIAS.fullmatch(text) is not None


def service_name(text: str) -> str:
    """Return a legal service name made of the words of a text; empty if it has none.

    `Slack MCP Server` is `slack`, `awslabs.iam-mcp-server` is `awslabs-iam`.
    """
    words = [word.lower() for word in _WORDS.findall(text)]
    kept = list(words)
    while kept and kept[0] in _EMPTY_WORDS:
        kept.pop(0)
    while kept and kept[-1] in _EMPTY_WORDS:
        kept.pop()
    name = "-".join(kept or words)
    return f"service-{name}" if name[:1].isdigit() or name in RESERVED_SERVICES else name


def tool_name(text: str) -> str:
    """Return a legal tool name for any text: each run of other characters becomes one `_`."""
    name = _SEPARATORS.sub(r"\1", _FOREIGN.sub("_", text)).strip("_-")
    if not name:
        return "tool"
    return name if name[0].isalpha() else f"tool_{name}"


def tool_names(origins: Sequence[str], service: str) -> list[str]:
    """Return a unique legal name for each tool of a service.

    A leading service name is dropped where the rest is legal and free. A tool with a legal name
    keeps it; later ones of the same name get `_2`, `_3` ….
    """
    legal = [tool_name(origin) for origin in origins]
    wanted = _without_prefix(legal, service)
    taken = {name for name, origin in zip(wanted, origins, strict=True) if name == origin}
    used: set[str] = set()
    names: list[str] = []
    for origin, name in zip(origins, wanted, strict=True):
        free, number = name, 1
        while free in used or (free in taken and free != origin):
            number += 1
            free = f"{name}_{number}"
        used.add(free)
        names.append(free)
    return names


def names_as_written(origins: Sequence[str]) -> list[str]:
    """Return a legal name for each tool of a service whose public names are kept."""
    return tool_names(origins, "")


def is_simpler_as_written(origins: Sequence[str], names: Sequence[str], service: str) -> bool:
    """Return whether keeping public names takes fewer lines than an alias for each changed name.

    `names` are those with the prefix of the service.
    """
    aliases = sum(
        origin not in (name, f"{service}_{name}")
        for origin, name in zip(origins, names, strict=True)
    )
    others = names_as_written(origins)
    wire_names = sum(origin != name for origin, name in zip(origins, others, strict=True))
    return aliases > wire_names + 1


def _without_prefix(names: list[str], service: str) -> list[str]:
    def shorter(name: str) -> str:
        rest = name[len(service) + 1 :]
        has_prefix = name.startswith((f"{service}_", f"{service}-"))
        return rest if has_prefix and _TOOL.fullmatch(rest) else name

    short = [shorter(name) for name in names] if service else names
    taken = set(names)
    times: dict[str, int] = {}
    for name in short:
        times[name] = times.get(name, 0) + 1
    return [
        brief if brief not in taken and times[brief] == 1 else name
        for name, brief in zip(names, short, strict=True)
    ]
