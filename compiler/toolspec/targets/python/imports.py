"""Import statements of generated modules, and the `TYPE_CHECKING` block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.model import Assign, Const, If, Import, List, Name, Subscript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.targets.python.model import Statement

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
ALL = Name(Identifier("__all__"))
CHECKING = Name(Identifier("TYPE_CHECKING"))


def from_import(source: str, *names: str) -> Import:
    """Return `from source import names`; leading dots of the source are its level."""
    path = source.lstrip(".")
    return Import(
        tuple(Identifier(part) for part in path.split(".") if part),
        tuple((Identifier(name), Identifier(name)) for name in names),
        len(source) - len(path),
    )


FUTURE = from_import("__future__", "annotations")
# Type checkers know the name; not importing `typing` for it saves a third of the import time.
UNCHECKED = Assign(CHECKING, Const(value=False))


def grouped(names: Iterable[tuple[str, str]]) -> Iterator[Import]:
    """Yield one import for each source of the (source, name) pairs, as isort would sort them."""
    by_source: dict[str, set[str]] = {}
    for source, name in names:
        by_source.setdefault(source, set()).add(name)
    for source in sorted(by_source, key=_section):
        yield from_import(source, *in_order(by_source[source], ignoring_case=True))


def for_checkers(names: Iterable[tuple[str, str]]) -> Iterator[Statement]:
    """Yield `if TYPE_CHECKING:` with the imports of these (source, name) pairs, if there are any."""
    found = tuple(grouped(names))
    if found:
        yield If(CHECKING, found)


def exported(names: Iterable[str]) -> Assign:
    """Return `__all__` with these names, sorted."""
    listed = List(tuple(Const(each) for each in in_order(names)))
    untold = None if listed.items else Subscript(Identifier("list"), (Name(Identifier("str")),))
    return Assign(ALL, listed, untold)


def in_order(names: Iterable[str], *, ignoring_case: bool = False) -> list[str]:
    """Return names as isort orders them: constants, classes, others; numbers inside by value.

    Ruff ignores case in imports and heeds it in `__all__`.
    """

    def key(name: str) -> tuple[int, str, str]:
        kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
        counted = _NUMBER.sub(lambda found: found.group().zfill(_LONGEST_NUMBER), name)
        return kind, counted.lower() if ignoring_case else "", counted

    return sorted(names, key=key)


def _section(source: str) -> tuple[int, str]:
    if source.startswith("."):
        return 2, source
    return int(source.partition(".")[0] == "toolspec"), source
