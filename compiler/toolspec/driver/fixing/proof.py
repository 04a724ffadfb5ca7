"""Checks edits: unintended changes of a document's value, and new errors."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.shape.kinds import KINDS as SHAPE
from toolspec.syntax import parse
from toolspec.syntax.pointer import parse_pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic, TextEdit
    from toolspec.syntax.nodes import Document, JsonValue, Location
    from toolspec.syntax.pointer import Path

_SHAPE = frozenset(kind.code for kind in SHAPE)
_TO_NEXT_TEXT = re.compile(r"[^\n]*\n?\s*")
# Stages that report errors; a document with an error of a stage does not reach the next.
_SYNTAX, _SHAPED, _WHOLE = 0, 1, 2


def changes_elsewhere(name: str, before: bytes, after: bytes, edits: Sequence[TextEdit]) -> bool:
    """Return whether a value changes outside of the edits, or the text becomes invalid.

    A text with a syntax error has no value to compare: its first error must be gone or come later
    than before.
    """
    old, new = parse(name, before), parse(name, after)
    if old.value is not None and new.value is not None:
        touched = _Touched(old.value, edits)
        differing = _differences(old.value.value, new.value.value, ())
        return any(path not in touched for path in differing)
    if old.value is not None:
        return True
    first = _first(old.diagnostics)
    removed = sum(len(e.span.text) - len(e.new_text) for e in edits if e.span.start <= first)
    return new.value is None and _first(new.diagnostics) < first - removed


def new_errors(
    old: Iterable[Diagnostic], new: Iterable[Diagnostic], edits: Mapping[str, Sequence[TextEdit]]
) -> list[Diagnostic]:
    """Return the new errors that no earlier error can have hidden.

    A document with an error of syntax or shape goes no further; without that error, later stages
    report what was wrong all along. So do those of a member whose key was unknown.
    """
    errors = [diagnostic for diagnostic in old if _is_error(diagnostic)]
    names = edits.keys()
    renamed = frozenset(_renamed(errors, edits))
    reached = min((_stage(error) for error in errors if _file(error) in names), default=_WHOLE)
    left = Counter(map(_key, errors))
    unexplained: list[Diagnostic] = []
    for diagnostic in new:
        if not _is_error(diagnostic) or _stage(diagnostic) > reached:
            continue
        if _stage(diagnostic) == reached == _SYNTAX and _file(diagnostic) in names:
            continue  # compared as text in `changes_elsewhere`
        if renamed and any(path in renamed for path in _ways(diagnostic)):
            continue
        key = _key(diagnostic)
        left[key] -= 1
        if left[key] < 0:
            unexplained.append(diagnostic)
    return unexplained


def _renamed(
    errors: Iterable[Diagnostic], edits: Mapping[str, Sequence[TextEdit]]
) -> Iterator[tuple[str, Path]]:
    """Yield the current file and path of each member whose wrong key was renamed."""
    for error in errors:
        path = parse_pointer(error.subject.pointer) if error.span else ()
        if not path or not error.span or _bare(error.span.text) != path[-1]:
            continue
        for edit in edits.get(_file(error), ()):
            if error.span.start <= edit.span.start and edit.span.end <= error.span.end:
                key = error.span.text.replace(edit.span.text, edit.new_text)
                yield _file(error), (*path[:-1], _bare(key))


def _bare(key: str) -> str:
    return key.strip("\"'")


def _ways(diagnostic: Diagnostic) -> Iterator[tuple[str, Path]]:
    """Yield the path of a diagnostic and those of its members."""
    path = parse_pointer(diagnostic.subject.pointer)
    return ((_file(diagnostic), path[:end]) for end in range(1, len(path) + 1))


class _Touched:
    """Locations of a document inside or just before an edit."""

    def __init__(self, document: Document, edits: Iterable[TextEdit]) -> None:
        self._document = document
        spans = sorted((edit.span.start, edit.span.end) for edit in edits)
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def __contains__(self, path: Path) -> bool:
        start, end = _stretch(self._document.location(*path))
        # Edits do not overlap, so their ends are in order too.
        first = bisect_left(self._ends, start)
        return first < len(self._starts) and self._starts[first] <= end


def _stretch(location: Location) -> tuple[int, int]:
    """Return the start of a member, and the end of the text after its last line."""
    spans = location.spans
    start, end = spans.value.start, spans.value.end
    if spans.key is not None and spans.key.start < start:
        start = spans.key.start
    behind = _TO_NEXT_TEXT.match(location.document.source.text, end)
    return start, behind.end() if behind else end


def _differences(old: JsonValue, new: JsonValue, path: Path) -> Iterator[Path]:
    """Yield the deepest paths at which two values differ."""
    match old, new:
        case dict(), dict():
            yield from ((*path, key) for key in old.keys() - new.keys())
            if new.keys() - old.keys():
                yield path
            for key in old.keys() & new.keys():
                yield from _differences(old[key], new[key], (*path, key))
        case list(), list() if len(old) == len(new):
            for at, (one, other) in enumerate(zip(old, new, strict=True)):
                yield from _differences(one, other, (*path, at))
        case _:
            if type(old) is not type(new) or old != new:
                yield path


def _first(diagnostics: Iterable[Diagnostic]) -> int:
    return min(
        (
            diagnostic.span.start
            for diagnostic in diagnostics
            if diagnostic.span and _is_error(diagnostic)
        ),
        default=0,
    )


def _is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR and diagnostic.suppression is None


def _file(diagnostic: Diagnostic) -> str:
    return diagnostic.span.source.path if diagnostic.span else ""


def _key(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return _file(diagnostic), diagnostic.code, diagnostic.message


def _stage(diagnostic: Diagnostic) -> int:
    if diagnostic.code.startswith("syntax/"):
        return _SYNTAX
    return _SHAPED if diagnostic.code in _SHAPE else _WHOLE
