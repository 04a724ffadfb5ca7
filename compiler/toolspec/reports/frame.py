"""Source frame of a diagnostic: its lines with carets below them, every span with its label."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.sinks.terminal import cells, printable, printable_path, width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.paint import Paint
    from toolspec.source import SourceFile, Span

_CUT = "…"
_BLANKS = " \t"
# Narrower windows have no room for an escaped hidden character.
_MIN_COLUMNS = 40
_LONG = 1000


@dataclass(frozen=True, slots=True)
class _Mark:
    """An underlined range of one line: columns from 0, in code points, the end exclusive."""

    source: SourceFile
    line: int
    start: int
    end: int
    label: str
    is_primary: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines of a frame, and the width of its margin of line numbers."""

    margin: int
    lines: tuple[str, ...] = ()


def frame(
    diagnostic: Diagnostic, paint: Paint, columns: int, shown: Callable[[str], str] = str
) -> Frame:
    """Return a diagnostic's frame, its main file first; no lines without a location.

    A line longer than `columns` is shown as a window around the underlined range, once for each
    span that does not fit into the same window. `shown` returns the path to print for a file.
    """
    if diagnostic.span is None:
        return Frame(1)
    marks = list(_marks(diagnostic.span, diagnostic.label, is_primary=True))
    for label in diagnostic.labels:
        marks += _marks(label.span, label.text, is_primary=False)
    margin = len(str(max(mark.line for mark in marks)))
    lines: list[str] = []
    for path in dict.fromkeys(mark.source.path for mark in marks):
        here = [mark for mark in marks if mark.source.path == path]
        arrow = paint("margin", ":::" if lines else "-->")
        location = f"{printable_path(shown(path))}:{here[0].line}:{here[0].start + 1}"
        lines.append(f"{' ' * margin}{arrow} {location}")
        if here[0].source.text:
            lines += _block(here, margin, paint, columns - margin - 3)
    return Frame(margin, tuple(lines))


def _marks(span: Span, label: str, *, is_primary: bool) -> Iterator[_Mark]:
    """Yield the marks of a span: its line, or its first line and, for a primary one, its last."""
    source, first, last = span.source, span.first, span.last
    if first.line == last.line:
        yield _Mark(source, first.line, first.column - 1, last.column - 1, label, is_primary)
        return
    end = len(source.line(first.line).rstrip(_BLANKS))
    yield _Mark(source, first.line, first.column - 1, end, label, is_primary)
    text = source.line(last.line)[: last.column - 1]
    if is_primary and text.strip():
        start = len(text) - len(text.lstrip())
        yield _Mark(source, last.line, start, len(text), "", is_primary)


def _block(marks: list[_Mark], margin: int, paint: Paint, columns: int) -> list[str]:
    """Return the lines of one file between two empty margins, elided ones as `:`."""
    bar = f"{' ' * margin} {paint('margin', '|')}"
    lines = [bar]
    before = 0
    for number, group in groupby(sorted(marks, key=_order), key=lambda mark: mark.line):
        if before and number > before + 1:
            lines.append(f"{' ' * margin} {paint('margin', ':')}")
        before = number
        for text, underlines in _windows(list(group), paint, columns):
            head = f"{paint('margin', f'{number:>{margin}}')} {paint('margin', '|')}"
            lines.append(f"{head} {text}".rstrip())
            lines += (f"{bar} {underline}" for underline in underlines)
    return [*lines, bar]


def _order(mark: _Mark) -> tuple[int, int, int]:
    return (mark.line, mark.start, mark.end)


def _windows(marks: list[_Mark], paint: Paint, columns: int) -> Iterator[tuple[str, list[str]]]:
    """Yield a line with its underlines, as several windows if it is too long."""
    line = marks[0].source.line(marks[0].line).rstrip(_BLANKS)
    while marks:
        # Only the text around a mark is read: a file may be one line of a megabyte.
        is_short = len(line) <= _LONG
        base = 0 if is_short else max(marks[0].start - _LONG // 2, 0)
        shown = cells(line if is_short else line[base : base + _LONG])
        ends = _ends(shown)
        low, high = _window(ends, marks[0].start - base, max(columns, _MIN_COLUMNS))
        stop = base + high if base + high < len(line) else sys.maxsize
        inside = [mark for mark in marks if base + low <= mark.start < stop]
        marks = [mark for mark in marks if mark not in inside]
        lead = _CUT if base + low else ""
        text = lead + "".join(shown[low:high]) + (_CUT if base + high < len(line) else "")
        shift = len(lead) - ends[low]
        locations = [_location(mark, ends, base, high) for mark in inside]
        yield (
            text,
            [
                _underline(mark, location, shift, paint)
                for mark, location in zip(inside, locations, strict=True)
            ],
        )


def _ends(shown: list[str]) -> Sequence[int]:
    """Return the terminal column of each cell's start, and of the last one's end."""
    text = "".join(shown)
    if text.isascii() and len(text) == len(shown):
        return range(len(shown) + 1)
    return [0, *accumulate(map(width, shown))]


def _window(ends: Sequence[int], start: int, columns: int) -> tuple[int, int]:
    """Return the first cell of the window around a start, and the one after its last."""
    count = len(ends) - 1
    if ends[-1] <= columns:
        return 0, count
    room = columns - 2 * len(_CUT)
    at = ends[min(start, count)]
    low = bisect_left(ends, at - room // 4) if at > room - room // 4 else 0
    return low, bisect_right(ends, ends[low] + room) - 1


def _location(mark: _Mark, ends: Sequence[int], base: int, high: int) -> tuple[int, int]:
    """Return the terminal columns of a mark; past the end of the line it is one column wide."""
    start = ends[min(mark.start - base, len(ends) - 1)]
    return start, max(ends[min(mark.end - base, high)], start + 1)


def _underline(mark: _Mark, location: tuple[int, int], shift: int, paint: Paint) -> str:
    start, end = location
    style, sign = ("primary", "^") if mark.is_primary else ("secondary", "-")
    label = f" {printable(mark.label)}" if mark.label else ""
    return " " * (start + shift) + paint(style, sign * (end - start) + label)
