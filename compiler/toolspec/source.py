"""Source files, positions and spans."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate, count
from operator import add
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Callable

# This many lines are located by counting; beyond that, all lines are listed once.
_FEW = 16


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A file's decoded text and display name: relative to the project, with `/`.

    A file that could not be decoded has empty text, so that a diagnostic can still name it. Released
    text is read again whenever it is needed: a diagnostic keeps its file, and a project of ten
    thousand tools has a hundred megabytes of them.
    """

    path: str
    text: str = field(repr=False)

    @staticmethod
    def unread(path: str, read: Callable[[], str]) -> SourceFile:
        """Return a file whose text `read` returns when it is needed."""
        source = SourceFile(path, "")
        source.release(read)
        return source

    def release(self, read: Callable[[], str]) -> None:
        """Free the text; `read` returns it again."""
        attributes = vars(self)
        path = self.path
        attributes.clear()
        attributes.update(path=path, _read=read)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> str:
            """Return the text of a released file."""
            if name == "text" and "_read" in vars(self):
                return self._read()
            raise AttributeError(name)

    def __eq__(self, other: object) -> bool:
        """Return whether two files have the same name and text."""
        if not isinstance(other, SourceFile):
            return NotImplemented
        return self is other or (self.path == other.path and self.text == other.text)

    def __hash__(self) -> int:
        """Return the hash of the name, which needs no text."""
        return hash(self.path)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of the start of each line. Only LF ends a line, in YAML 1.2 and JSON."""
        *lines, _ = self.text.split("\n")
        return tuple(map(add, accumulate(map(len, lines), initial=0), count()))

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset; an offset past the end is the end."""
        offset = min(max(offset, 0), len(self.text))
        if "line_starts" in self.__dict__ or len(self._counted) >= _FEW:
            line = bisect_right(self.line_starts, offset)
            return Position(line, offset - self.line_starts[line - 1] + 1)
        # Most files have few diagnostics: counting lines is a hundred times as fast as listing them.
        line = self.text.count("\n", 0, offset) + 1
        start = self.text.rfind("\n", 0, offset) + 1
        self._counted[offset] = line, start
        return Position(line, offset - start + 1)

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        if number not in self._lines:
            start = dict(self._counted.values()).get(number)
            if start is None:
                start = self.line_starts[number - 1]
            end = self.text.find("\n", start)
            text = self.text[start : len(self.text) if end < 0 else end].removesuffix("\r")
            self._lines[number] = text
        return self._lines[number]

    @cached_property
    def _lines(self) -> dict[int, str]:
        """The lines that were read so far: a file may be one line of a megabyte."""
        return {}

    @cached_property
    def _counted(self) -> dict[int, tuple[int, int]]:
        """Line number and start of its line, by offset, for the positions before lines are listed.

        By offset, since all diagnostics of a file that is one line are on the same line.
        """
        return {}

    def span(self, start: int, end: int) -> Span:
        """Return the span between two offsets, in code points."""
        return Span(self, start, end)


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Line and column in a text, both counted from 1, columns in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a source file: offsets in code points, end exclusive.

    `via` has the locations that refer to it (YAML aliases and merge keys), outermost first; it is
    ignored in comparisons.
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
        """The text of the span."""
        return self.source.text[self.start : self.end]
