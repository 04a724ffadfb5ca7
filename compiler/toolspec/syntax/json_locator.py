"""Places in a JSON document: found when asked, one collection at a time, each looked through once."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolspec.syntax.nodes import Location

if TYPE_CHECKING:
    from toolspec.source import SourceFile, Span
    from toolspec.syntax.pointer import Path

_SPACE = re.compile(r"[ \t\n\r]*")
# Its only work is to find ends, so hooks that refuse numbers would be in the way.
_DECODER = json.JSONDecoder(parse_int=len, parse_float=len)


@dataclass(frozen=True, slots=True)
class _Member:
    """Offsets of a value, and of its key where it has one."""

    start: int
    end: int
    key_start: int = -1
    key_end: int = -1


@dataclass(frozen=True, slots=True)
class JsonLocator:
    """Finds places in a text that has been read without a syntax error.

    The C scanner skips what is not asked for. `_members` remembers each collection that was looked
    through, by its offset, so that a thousand questions cost one pass a level.
    """

    source: SourceFile
    _members: dict[int, dict[str | int, _Member]] = field(default_factory=dict, repr=False)

    def locate(self, path: Path) -> Location:
        """Return where the value at a path stands; for a path that does not exist, its parent."""
        text = self.source.text
        start = self._skip(0)
        member = _Member(start, len(text.rstrip(" \t\r\n")))
        for step in path:
            inner = self._inside(member.start).get(step)
            if inner is None:
                break
            member = inner
        return Location(self._key(member), self.source.span(member.start, member.end))

    def _key(self, member: _Member) -> Span | None:
        has_key = member.key_start >= 0
        return self.source.span(member.key_start, member.key_end) if has_key else None

    def _inside(self, start: int) -> dict[str | int, _Member]:
        if start not in self._members:
            opening = self.source.text[start : start + 1]
            self._members[start] = self._scan(start) if opening in {"{", "["} else {}
        return self._members[start]

    def _scan(self, start: int) -> dict[str | int, _Member]:
        text = self.source.text
        is_object = text[start] == "{"
        found: dict[str | int, _Member] = {}
        at = self._skip(start + 1)
        while text[at] not in "}]":
            step: str | int = len(found)
            key_start = key_end = -1
            if is_object:
                key_start = at
                step, key_end = _DECODER.raw_decode(text, at)
                at = self._skip(self._skip(key_end) + 1)
            end = _DECODER.raw_decode(text, at)[1]
            found.setdefault(step, _Member(at, end, key_start, key_end))
            at = self._skip(end)
            if text[at] == ",":
                at = self._skip(at + 1)
        return found

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.source.text, at)
        return match.end() if match else at
