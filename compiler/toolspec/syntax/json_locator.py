"""Places in a JSON document: found when asked, one collection at a time, each looked through once."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolspec.syntax.nodes import Location

if TYPE_CHECKING:
    from toolspec.source import SourceFile
    from toolspec.syntax.pointer import Path

_SPACE = re.compile(r"[ \t\n\r]*")
# Its only work is to find ends, so hooks that refuse numbers would be in the way.
_DECODER = json.JSONDecoder(parse_int=len, parse_float=len)


@dataclass(frozen=True, slots=True)
class _Member:
    """Offsets of a value's start, and of its key where it has one."""

    start: int
    key: tuple[int, int] | None = None


@dataclass(slots=True)
class _Collection:
    """The members of one object or array that have been looked at so far; `last` is the latest."""

    start: int
    members: dict[str | int, _Member] = field(default_factory=dict)
    last: int | None = None
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class JsonLocator:
    """Finds places in a text that has been read without a syntax error.

    The C scanner skips what is not asked for, and each collection remembers, by its offset, how far
    it was looked through: a thousand questions read a text about once a level.
    """

    source: SourceFile
    _collections: dict[int, _Collection] = field(default_factory=dict, repr=False)
    _ends: dict[int, int] = field(default_factory=dict, repr=False)

    def locate(self, path: Path) -> Location:
        """Return where the value at a path stands; for a path that does not exist, its parent."""
        member = _Member(self._skip(0))
        for step in path:
            inner = self._find(member.start, step)
            if inner is None:
                break
            member = inner
        key = self.source.span(*member.key) if member.key else None
        return Location(key, self.source.span(member.start, self._end(member.start)))

    def _find(self, start: int, step: str | int) -> _Member | None:
        collection = self._collections.get(start)
        if collection is None:
            is_scalar = self.source.text[start] not in "{["
            collection = self._collections[start] = _Collection(start, is_complete=is_scalar)
        found = collection.members.get(step)
        while found is None and not collection.is_complete:
            self._read_on(collection)
            found = collection.members.get(step)
        return found

    def _read_on(self, collection: _Collection) -> None:
        """Note the next member: skip the latest value and its comma, then a key if there is one."""
        text = self.source.text
        at = collection.start + 1 if collection.last is None else self._end(collection.last)
        at = self._skip(at)
        if text[at] == ",":
            at = self._skip(at + 1)
        if text[at] in "]}":
            collection.is_complete = True
            return
        step: str | int = len(collection.members)
        key = None
        if text[collection.start] == "{":
            key_start = at
            step, key_end = _DECODER.raw_decode(text, at)
            key = (key_start, key_end)
            at = self._skip(self._skip(key_end) + 1)
        collection.members.setdefault(step, _Member(at, key))
        collection.last = at

    def _end(self, start: int) -> int:
        if start not in self._ends:
            self._ends[start] = _DECODER.raw_decode(self.source.text, start)[1]
        return self._ends[start]

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.source.text, at)
        return match.end() if match else at
