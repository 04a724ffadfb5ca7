"""Places as SARIF writes them: files by an address relative to the project, regions in UTF-16 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from toolspec.source import SourceFile, Span
    from toolspec.syntax.nodes import JsonObject, JsonValue

_BASE: Final = "%SRCROOT%"
_FIRST_OF_TWO: Final = 0x10000


class Artifacts:
    """The files of a run in the order in which findings named them; `base` leads to the project."""

    def __init__(self, base: str = "") -> None:
        self._base = base
        self._index: dict[str, int] = {}

    def place(self, span: Span) -> JsonObject:
        """Return a location: a file and a region in it."""
        artifact = self.location(span.source)
        if not span.source.text:
            return {"physicalLocation": {"artifactLocation": artifact}}
        return {"physicalLocation": {"artifactLocation": artifact, "region": region(span)}}

    def location(self, source: SourceFile) -> JsonObject:
        """Return which file it is."""
        index = self._index.setdefault(source.path, len(self._index))
        return {**_address(source.path, self._base), "index": index}

    @property
    def described(self) -> list[JsonValue]:
        """What is to be known of each file that was named so far."""
        return [{"location": _address(path, self._base)} for path in self._index]

    @property
    def bases(self) -> JsonObject:
        """What relative addresses are relative to; where that is on a machine is nobody's business."""
        return {_BASE: {"description": {"text": "The folder that addresses start from."}}}


def region(span: Span) -> JsonObject:
    """Return a span as lines and columns from 1, the end not included."""
    first, last = span.first, span.last
    return {
        "startLine": first.line,
        "startColumn": _column(span.source, first.line, first.column),
        "endLine": last.line,
        "endColumn": _column(span.source, last.line, last.column),
    }


def _column(source: SourceFile, line: int, column: int) -> int:
    """Return a column in UTF-16 code units: a character beyond the first plane takes two of them."""
    start = source.line_starts[line - 1]
    before = source.text[start : start + column - 1]
    if before.isascii():
        return column
    return column + sum(ord(each) >= _FIRST_OF_TWO for each in before)


def _address(path: str, base: str) -> JsonObject:
    """Return a path as an address; one from the root of the disk is relative to nothing."""
    if path.startswith("/"):
        return {"uri": f"file://{quote(path, errors='surrogatepass')}"}
    return {"uri": quote(base + path, errors="surrogatepass"), "uriBaseId": _BASE}
