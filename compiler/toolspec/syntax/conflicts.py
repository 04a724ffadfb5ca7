"""Detection of unresolved merge conflicts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.source import SourceFile, Span

_MARKER = re.compile(r"^(?:<{7}(?= )|={7}(?=\r?$)|>{7}(?= ))", re.MULTILINE)


class Conflict(NamedTuple):
    """The markers of a merge conflict."""

    ours: Span
    between: Span
    theirs: Span


def merge_conflicts(source: SourceFile) -> Iterator[Conflict]:
    """Yield each unresolved merge conflict in a text."""
    markers: list[Span] = []
    for match in _MARKER.finditer(source.text):
        marker = source.span(*match.span())
        if marker.text[0] == "<":
            markers = []
        elif marker.text[0] != "<=>"[len(markers)]:
            continue
        markers.append(marker)
        if len(markers) == len(Conflict._fields):
            yield Conflict(*markers)
            markers = []
