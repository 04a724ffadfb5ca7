"""Where text stands: a source file, a position in it, and a span between two positions."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, count
from operator import add


@dataclass(frozen=True)
class SourceFile:
    """A file's decoded text under the name people know it by: relative to the project, with `/`.

    A file that could not be decoded has the empty text, so that a finding can still name it.
    """

    path: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset at which each line begins. Only LF ends a line (YAML 1.2 and JSON agree)."""
        *lines, _ = self.text.split("\n")
        return tuple(map(add, accumulate(map(len, lines), initial=0), count()))

    def position(self, offset: int) -> Position:
        """Return line and column of an offset; an offset past the end is the end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].removesuffix("\r")

    def span(self, start: int, end: int) -> Span:
        """Return the span between two offsets, in code points."""
        return Span(self, start, end)


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text: line and column, both counted from 1, columns in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source file: offsets in code points, the end not included.

    `via` holds the places through which it was reached (YAML aliases and merge keys), outermost
    first; it is no part of what the span is.
    """

    source: SourceFile
    start: int
    end: int
    via: tuple[Span, ...] = field(default=(), compare=False, repr=False)

    @property
    def first(self) -> Position:
        """Line and column of the first character."""
        return self.source.position(self.start)

    @property
    def last(self) -> Position:
        """Line and column just past the last character."""
        return self.source.position(self.end)

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source.text[self.start : self.end]
