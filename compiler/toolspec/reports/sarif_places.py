"""SARIF locations: files by an address relative to the project, regions in UTF-16 columns."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from toolspec.source import Position, SourceFile, Span
    from toolspec.syntax.nodes import JsonObject, JsonValue

_BASE: Final = "%SRCROOT%"
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")


class Artifacts:
    """The files of a run in order of first use; `base` leads to the project."""

    def __init__(self, base: str = "") -> None:
        self._base = base
        self._index: dict[str, int] = {}
        self._wide: dict[SourceFile, list[int]] = {}

    def place(self, span: Span) -> JsonObject:
        """Return a location: a file and a region in it."""
        artifact = self.location(span.source)
        if not span.source.text:
            return {"physicalLocation": {"artifactLocation": artifact}}
        return {"physicalLocation": {"artifactLocation": artifact, "region": self.region(span)}}

    def location(self, source: SourceFile) -> JsonObject:
        """Return the address and index of a file."""
        index = self._index.setdefault(source.path, len(self._index))
        return {**_address(source.path, self._base), "index": index}

    def region(self, span: Span) -> JsonObject:
        """Return a span as lines and columns from 1, the end exclusive."""
        first, last = span.first, span.last
        return {
            "startLine": first.line,
            "startColumn": self._column(span.source, first),
            "endLine": last.line,
            "endColumn": self._column(span.source, last),
        }

    def _column(self, source: SourceFile, position: Position) -> int:
        """Return a column in UTF-16 code units, two for each character beyond the first plane."""
        wide = self._wide.get(source)
        if wide is None:
            # Computed once a file: it may be one line of a megabyte, with thousands of diagnostics.
            wide = (
                []
                if source.text.isascii()
                else list(map(re.Match.start, _WIDE.finditer(source.text)))
            )
            self._wide[source] = wide
        start = source.line_starts[position.line - 1]
        return (
            position.column
            + bisect_left(wide, start + position.column - 1)
            - bisect_left(wide, start)
        )

    @property
    def described(self) -> list[JsonValue]:
        """The description of each file used so far."""
        return [{"location": _address(path, self._base)} for path in self._index]

    @property
    def bases(self) -> JsonObject:
        """The base of relative addresses; its absolute path is not disclosed."""
        return {_BASE: {"description": {"text": "The folder that addresses start from."}}}


def _address(path: str, base: str) -> JsonObject:
    """Return a path as an address; an absolute one has no base."""
    if path.startswith("/"):
        return {"uri": f"file://{quote(path, errors='surrogatepass')}"}
    return {"uri": quote(base + path, errors="surrogatepass"), "uriBaseId": _BASE}
