"""Comments in YAML documents that contain directives, and the span that each applies to."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

from toolspec.shared.records import dataclass
from toolspec.syntax.yaml_locator import YamlLocator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.source import SourceFile, Span
    from toolspec.syntax.nodes import Document

# Text allowed between a comment and the content below it: lines without content, and the marks
# that begin a document or an item.
_BEFORE_CONTENT = re.compile(r"(?:[ \t\r\n]|#[^\n]*|-(?=[ \t\r\n])|---(?=[ \t\r\n]))*")
_INDENT = re.compile(r"(?:[ \t]|-(?=[ \t]))*")
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")
_SIGN = re.compile(r"(?:^|(?<=[ \t]))#", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment from its `#` to the end of its line, and its target.

    A comment on its own line applies to what begins next: a member, or the whole mapping before its
    first member. A trailing comment applies to its line, including the whole member that begins on
    it or the text that ends there.
    """

    span: Span
    target: Span | None
    is_alone: bool


def comments(document: Document, pattern: re.Pattern[str]) -> Iterator[Comment]:
    """Yield the comments that contain a match, ignoring similar text in scalars."""
    locator, source = document.locator, document.source
    found = pattern.search(source.text)
    if not isinstance(locator, YamlLocator) or found is None:
        return
    layout = _Layout(locator)
    while found is not None:
        line = source.line_starts[source.position(found.start()).line - 1]
        end = _end_of_line(source, found.start())
        start = layout.sign(line, end)
        if start >= 0 and pattern.search(source.text, start, end):
            yield layout.comment(line, start)
        found = pattern.search(source.text, end)


class _Layout:
    """Sorted starts and ends of the scalars, members and collections of a document."""

    def __init__(self, locator: YamlLocator) -> None:
        self._source: SourceFile = locator.source
        self._scalars: list[tuple[int, int]] = []
        self._members: list[tuple[int, int]] = []
        self._ends: dict[int, int] = {}
        self._blank = (0, -1)
        self._walk(locator)
        self._scalars.sort()
        self._members.sort()

    def sign(self, line: int, end: int) -> int:
        """Return the offset of the comment on the line between two offsets, or -1."""
        starts = (match.start() for match in _SIGN.finditer(self._source.text, line, end))
        return next((start for start in starts if not self._is_text(start)), -1)

    def comment(self, line: int, start: int) -> Comment:
        """Return the comment on a line."""
        text = self._source.text
        end = start + len(text[start : _end_of_line(self._source, start)].rstrip())
        is_alone = not text[line:start].strip()
        target = self._below(end) if is_alone else self._beside(line, start)
        return Comment(self._source.span(start, end), target, is_alone)

    def _below(self, end: int) -> Span | None:
        if not self._blank[0] <= end <= self._blank[1]:  # else cached
            match = _BEFORE_CONTENT.match(self._source.text, end)
            self._blank = (end, match.end() if match else end)
        start = self._blank[1]
        return self._source.span(start, self._ends[start]) if start in self._ends else None

    def _beside(self, line: int, start: int) -> Span:
        match = _INDENT.match(self._source.text, line)
        line_start = match.end() if match else line
        index = bisect_left(self._members, (line_start, 0))
        if index < len(self._members) and self._members[index][0] < start:
            return self._source.span(line_start, max(start, self._members[index][1]))
        member_start, member_end = self._members[index - 1] if index else (line_start, line_start)
        return self._source.span(
            member_start if line_start < member_end <= start else line_start, start
        )

    def _is_text(self, offset: int) -> bool:
        """Return whether an offset is inside a scalar; the header line of a block scalar is not."""
        index = bisect_right(self._scalars, (offset, len(self._source.text))) - 1
        if index < 0 or self._scalars[index][1] <= offset:
            return False
        text, start = self._source.text, self._scalars[index][0]
        properties = _PROPERTIES.match(text, start)
        start = properties.end() if properties else start
        return text[start : start + 1] not in {"|", ">"} or "\n" in text[start:offset]

    def _walk(self, locator: YamlLocator) -> None:
        """Record the offsets of all values, without the repetitions by aliases."""
        marks, seen = locator.marks, set[int]()
        pending: list[list[Any]] = [locator.root]
        while pending:
            value, start, end = pending.pop()
            if start in marks.aliases:
                continue
            self._ends[start] = max(end, self._ends.get(start, 0))
            if not isinstance(value, (dict, list)):
                self._scalars.append((start, end))
                continue
            if id(value) in seen:
                continue
            seen.add(id(value))
            items = marks.items.get(id(value), [])
            if isinstance(value, list):
                pending += (items[at : at + 3] for at in range(0, len(items), 3))
                continue
            for at in range(0, len(items), 6):
                pending += (items[at : at + 3], items[at + 3 : at + 6])
                self._members.append((items[at + 1], items[at + 5]))
                self._ends[items[at + 1]] = max(items[at + 5], self._ends.get(items[at + 1], 0))


def _end_of_line(source: SourceFile, offset: int) -> int:
    end = source.text.find("\n", offset)
    return len(source.text) if end < 0 else end
