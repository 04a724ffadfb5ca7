"""Parts of a document that have an error and that later stages leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.shape.violations import Violation
    from toolspec.syntax.nodes import Document
    from toolspec.syntax.pointer import Path

# Path lengths of the parts that can be left out: a member of a tool or the service, a definition.
_DEPTHS = {"tools": 3, "service": 2, "$defs": 2}


def broken_by_shape(violations: Iterable[Violation]) -> Iterator[Path]:
    """Yield the path of each part that violates the document schema, or is missing."""
    for violation in violations:
        for path in _paths(violation):
            yield part_of(path)


def broken_by_syntax(document: Document, errors: Iterable[Diagnostic]) -> Iterator[Path]:
    """Yield the path of the smallest part around each syntax error; of the document, ()."""
    ranges: dict[Path, list[tuple[int, int, Path]]] = {}
    for error in errors:
        path: Path = ()
        # Of two equal keys the first is in the document.
        span = error.labels[0].span if error.code == "syntax/duplicate-key" else error.span
        while span is not None:
            if path not in ranges:
                ranges[path] = list(_ranges(document, path))
            start = span.start
            inner = next((to for low, high, to in ranges[path] if low <= start <= high), None)
            if inner is None:
                break
            path = inner
        yield path


def part_of(path: Path) -> Path:
    """Return the path of the part to leave out because of a value."""
    return path[: _DEPTHS.get(str(path[0]), 1)] if path else path


def _paths(violation: Violation) -> Iterator[Path]:
    path, key = violation.path, violation.key
    if violation.keyword == "additionalProperties":
        # The intended key is missing; a key without a meaning is never read.
        if violation.suggestion:
            yield (*path, violation.suggestion)
    elif violation.keyword in {"oneOf", "anyOf"} and violation.is_lack:
        yield from ((*path, choice) for choice in violation.choices)
    elif violation.is_lack:
        yield (*path, key)
    elif violation.is_of_key:
        yield (*path, key, "name") if path == ("tools",) else (*path, key)
    else:
        yield path


def _ranges(document: Document, path: Path) -> Iterator[tuple[int, int, Path]]:
    """Yield start, end and path of the subparts of a part."""
    if len(path) >= _DEPTHS.get(str(path[0]) if path else "tools", 1):
        return
    location = document.location(*path)
    value = location.value_or_none
    steps: Iterable[str | int] = value if isinstance(value, dict) else ()
    if isinstance(value, list):
        steps = range(len(value))
    for step in steps:
        spans = (location / step).spans
        if not spans.via:
            start = spans.key.start if spans.key else spans.value.start
            yield start, spans.value.end, (*path, step)
