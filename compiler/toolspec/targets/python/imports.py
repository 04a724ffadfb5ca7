"""Modules of the names that generated code imports, and the order of imports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = re.compile("[0-9]+")
_LONGEST_NUMBER = 20
# Modules of the names used in signatures, besides the service's own types.
HOMES = {
    "AsyncIterator": "collections.abc",
    "Awaitable": "collections.abc",
    "Callable": "collections.abc",
    "Iterator": "collections.abc",
    "Mapping": "collections.abc",
    "Logger": "logging",
    "Call": "toolspec.runtime",
    "ConfigurationSchemas": "toolspec.runtime",
    "Context": "toolspec.runtime",
    "Next": "toolspec.runtime",
    "OAuth": "toolspec.runtime",
    "Outcome": "toolspec.runtime",
    "Registry": "toolspec.runtime",
    "ServiceClient": "toolspec.runtime",
    "ServiceDefinition": "toolspec.runtime",
    "SyncServiceClient": "toolspec.runtime",
    "ToolDefinition": "toolspec.runtime",
    "ToolError": "toolspec.runtime",
    "OutputCheck": "toolspec.runtime.service",
}


def grouped(names: Iterable[tuple[str, str]]) -> list[list[tuple[str, list[str]]]]:
    """Return (source, name) pairs by section and source, as isort would sort them."""
    by_source: dict[str, set[str]] = {}
    for source, name in names:
        by_source.setdefault(source, set()).add(name)
    sections: dict[int, list[tuple[str, list[str]]]] = {}
    for source in sorted(by_source):
        found = in_order(by_source[source], ignoring_case=True)
        sections.setdefault(_section(source), []).append((source, found))
    return [sections[number] for number in sorted(sections)]


def in_order(names: Iterable[str], *, ignoring_case: bool = False) -> list[str]:
    """Return names as isort orders them: constants, classes, others; numbers inside by value.

    Ruff ignores case in imports and heeds it in `__all__`.
    """

    def key(name: str) -> tuple[int, str, str]:
        kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
        counted = _NUMBER.sub(lambda found: found.group().zfill(_LONGEST_NUMBER), name)
        return kind, counted.lower() if ignoring_case else "", counted

    return sorted(names, key=key)


def _section(source: str) -> int:
    """Return 0 for the standard library, 1 for the runtime, 2 for the generated package."""
    if source.startswith("."):
        return 2
    return int(source.partition(".")[0] == "toolspec")
