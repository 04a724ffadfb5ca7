"""Locations in a JSON document, found on demand with a single scan per collection."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from toolspec.shared.records import dataclass, field
from toolspec.syntax.nodes import Spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.source import SourceFile
    from toolspec.syntax.pointer import Path

_SPACE = re.compile(r"[ \t\n\r]*")
# The scanner only finds the ends of values, so numbers are not converted.
_decoder: Any = json.JSONDecoder(parse_int=len, parse_float=len)
_scan: Callable[[str, int], tuple[Any, int]] = _decoder.scan_once

_BLANKS = frozenset(" \t\n\r")


class _Member(NamedTuple):
    """Offsets of a value's start, and of its key if it has one."""

    start: int
    key: tuple[int, int] | None = None


@dataclass(slots=True)
class _Collection:
    """The members of an object or array scanned so far; `last` is the offset of the latest value."""

    start: int
    members: dict[str | int, _Member] = field(default_factory=dict)
    last: int | None = None
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class JsonLocator:
    """Finds locations in a text without syntax errors.

    The C scanner skips irrelevant values, and each collection stores how far it was scanned, by
    offset: a thousand lookups read a text about once per level.
    """

    source: SourceFile
    _collections: dict[int, _Collection] = field(default_factory=dict, repr=False)
    _ends: dict[int, int] = field(default_factory=dict, repr=False)
    # Collections by path, because successive lookups are mostly for siblings.
    _by_path: dict[Path, _Collection] = field(default_factory=dict, repr=False)

    def locate(self, path: Path) -> Spans:
        """Return the location of the value at a path, or of its parent if it does not exist."""
        parent = self._by_path.get(path[:-1]) if path else None
        member = self._member(parent, path[-1]) if parent else None
        member = member or self._walk(path)
        key = self.source.span(*member.key) if member.key else None
        return Spans(key, self.source.span(member.start, self._end(member.start)))

    def _walk(self, path: Path) -> _Member:
        start, ancestor = 0, None
        for start in range(len(path) - 1, -1, -1):
            if ancestor := self._by_path.get(path[:start]):
                break
        member = _Member(ancestor.start if ancestor else self._skip(0))
        for depth, step in enumerate(path[start:], start):
            collection = self._collection(member.start)
            self._by_path[path[:depth]] = collection
            inner = self._member(collection, step)
            if inner is None:
                break
            member = inner
        return member

    def _collection(self, start: int) -> _Collection:
        collection = self._collections.get(start)
        if collection is None:
            is_scalar = self.source.text[start] not in "{["
            collection = self._collections[start] = _Collection(start, is_complete=is_scalar)
        return collection

    def _member(self, collection: _Collection, step: str | int) -> _Member | None:
        member = collection.members.get(step)
        while member is None and not collection.is_complete:
            self._read_on(collection)
            member = collection.members.get(step)
        return member

    def _read_on(self, collection: _Collection) -> None:
        """Record the next member: skip the latest value and its comma, then read a key if any."""
        text = self.source.text
        offset = collection.start + 1 if collection.last is None else self._end(collection.last)
        if text[offset] in _BLANKS:
            offset = self._skip(offset)
        if text[offset] == ",":
            offset += 1
            if text[offset] in _BLANKS:
                offset = self._skip(offset)
        if text[offset] in "]}":
            collection.is_complete = True
            return
        step: str | int = len(collection.members)
        key = None
        if text[collection.start] == "{":
            key_start = offset
            step, key_end = _scan(text, offset)
            key = (key_start, key_end)
            offset = key_end if text[key_end] == ":" else self._skip(key_end)
            offset += 1
            if text[offset] in _BLANKS:
                offset = self._skip(offset)
        collection.members.setdefault(step, _Member(offset, key))
        collection.last = offset

    def _end(self, start: int) -> int:
        end = self._ends.get(start)
        if end is None:
            end = self._ends[start] = _scan(self.source.text, start)[1]
        return end

    def _skip(self, offset: int) -> int:
        match = _SPACE.match(self.source.text, offset)
        return match.end() if match else offset
