"""Locations in a YAML document, looked up in the marks of the reader."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from toolspec.shared.records import dataclass, field
from toolspec.syntax.nodes import Spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.source import SourceFile, Span
    from toolspec.syntax.pointer import Path

_PROPERTIES = re.compile(r"(?:[&!]\S*(?:\s+|#.*)*)+")


@dataclass(slots=True)
class Marks:
    """Marks recorded by the reader, by offset and by the id of collections.

    `items`: the flat list of a collection, with value, start and end for each value, in a mapping
    preceded by the same three of its key. `aliases`: start of an alias to start and end of the
    anchored value. `merged`: collection and key of a merged entry, to its aliases and the
    collection it came from (which may have merged it in turn). `by_anchor`: start of an anchored
    value and of its alias, sorted on first use.
    """

    items: dict[int, list[Any]] = field(default_factory=dict)
    aliases: dict[int, tuple[int, int]] = field(default_factory=dict)
    merged: dict[tuple[int, str | int], tuple[tuple[tuple[int, int], ...], int]] = field(
        default_factory=dict
    )
    by_anchor: list[tuple[int, int]] = field(default_factory=list)

    def aliases_of(self, start: int, end: int) -> Iterator[int]:
        """Yield the start of each alias whose anchor is between two offsets."""
        if len(self.by_anchor) < len(self.aliases):
            self.by_anchor = sorted((anchor, alias) for alias, (anchor, _) in self.aliases.items())
        for number in range(bisect_left(self.by_anchor, (start, 0)), len(self.by_anchor)):
            anchor, alias = self.by_anchor[number]
            if anchor >= end:
                return
            yield alias


@dataclass(frozen=True, slots=True)
class YamlLocator:
    """Looks up locations in the marks without reading the text again."""

    source: SourceFile
    root: list[Any]
    marks: Marks

    def locate(self, path: Path) -> Spans:
        """Return the location of the value at a path, or of its parent if it does not exist.

        A value repeated by an alias has the key at the alias and the span of the original.
        """
        value, start, end = self.root
        key: list[int] = []
        via: list[Span] = []
        for step in path:
            entry = self._entry(value, step)
            if entry is None:
                break
            if self.marks.merged:
                via += self._merged(id(value), step)
            key, (value, start, end) = entry
            if start in self.marks.aliases:
                via.append(self.source.span(start, end))
                start, end = self.marks.aliases[start]
        return Spans(self._span(*key) if key else None, self._span(start, end), tuple(via))

    def is_aliased(self, path: Path) -> bool:
        """Return whether an alias outside of a member repeats its value or a part of it."""
        if not self.marks.aliases:
            return False
        spans = self.locate(path)
        start, end = (spans.key or spans.value).start, spans.value.end
        return any(not start <= alias < end for alias in self.marks.aliases_of(start, end))

    def _merged(self, mapping: int, step: str | int) -> Iterator[Span]:
        while (mapping, step) in self.marks.merged:
            aliases, mapping = self.marks.merged[mapping, step]
            yield from (self.source.span(*alias) for alias in aliases)

    def _entry(self, value: Any, step: str | int) -> tuple[list[int], list[Any]] | None:
        items = self.marks.items.get(id(value), [])
        match value, step:
            case dict(), str() if step in value:
                index = items[::6].index(step) * 6
                return items[index + 1 : index + 3], items[index + 3 : index + 6]
            case list(), int() if 0 <= step < len(value):
                return [], items[step * 3 : step * 3 + 3]
            case _:
                return None

    def _span(self, start: int, end: int) -> Span:
        # Marks include anchors and the line end of a block scalar; diagnostics need the content.
        text = self.source.text
        if text[start : start + 1] in {"&", "!"}:
            match = _PROPERTIES.match(text, start, end)
            start = match.end() if match else start
        return self.source.span(start, max(start, start + len(text[start:end].rstrip())))
