"""Diagnostics about edited or foreign files, shown at the lines that would be lost."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

from toolspec.diagnostics import Label
from toolspec.driver import output_kinds as kinds
from toolspec.driver.output.changes import readable
from toolspec.source import SourceFile
from toolspec.syntax.conflicts import merge_conflicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import Span

MAX_SHOWN: Final = 3

_MAX_COMPARED = 1_000_000  # pairs of lines; a larger difference is shown as one

Lines = list[str]


def conflict(path: str, there: bytes, ours: bytes, *, is_known: bool) -> Diagnostic:
    """Return the diagnostic of an edited file (`is_known` to the lock) or a foreign one.

    The first `MAX_SHOWN` differences are shown, each at the line that would be lost.
    """
    merge = merge_conflict(path, there)
    if merge is not None:
        return merge
    source = SourceFile(path, readable(there))
    # Compare bytes: as readable text, invalid UTF-8 could look like the new content.
    lost_lines, our_lines = (
        data.decode("utf-8", "surrogateescape").split("\n") for data in (there, ours)
    )
    (span, text), *others = (
        (_line(source, at), _label(lost, written))
        for at, lost, written in islice(_differences(lost_lines, our_lines), MAX_SHOWN)
    )
    kind = kinds.EDITED if is_known else kinds.FOREIGN
    labels = [Label(*other) for other in others]
    return kind.at(span, text, labels=labels, path=path, name=path.rpartition("/")[2])


def merge_conflict(path: str, there: bytes) -> Diagnostic | None:
    """Return the diagnostic of the first merge conflict marker in a file, or None."""
    markers = next(merge_conflicts(SourceFile(path, readable(there))), None)
    if markers is None:
        return None
    labels = (
        Label(markers.between, "the second version begins here"),
        Label(markers.theirs, "the conflict ends here"),
    )
    return kinds.MERGE_CONFLICT.at(
        markers.ours, "the first version begins here", labels=labels, path=path
    )


def _differences(there: Lines, ours: Lines) -> Iterator[tuple[int, Lines, Lines]]:
    """Yield the differences of two texts: a line of the first, removed lines, added lines."""
    start = _common(there, ours)
    end = _common(reversed(there[start:]), reversed(ours[start:]))
    lost, written = there[start : len(there) - end], ours[start : len(ours) - end]
    if len(lost) * len(written) > _MAX_COMPARED:
        yield start, lost, written
        return
    from difflib import SequenceMatcher

    for tag, a, b, c, d in SequenceMatcher(None, lost, written, autojunk=False).get_opcodes():
        if tag != "equal":
            yield start + a, lost[a:b], written[c:d]


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _label(lost: Lines, written: Lines) -> str:
    if not written:
        return "not the compiler's"
    more = len(written) - 1
    line = next((line.strip() for line in written if line.strip()), "")
    text = f"the compiler writes `{line}`" + (f" and {more} more" if more else "")
    return text if lost else f"before this {text}"


def _line(source: SourceFile, at: int) -> Span:
    at = min(at, len(source.line_starts) - 1)
    start = source.line_starts[at]
    line = source.line(at + 1)
    return source.span(start + len(line) - len(line.lstrip()), start + len(line))
