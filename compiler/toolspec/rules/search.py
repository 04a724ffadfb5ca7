"""Search for texts of a document that match a pattern."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.shared.validator import text_finder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.syntax.nodes import Document, JsonValue
    from toolspec.syntax.pointer import Path

# A backslash of an escape by which JSON or YAML can write or hide any character, or a space; `\n`
# and `\t` are too common to be included.
_ESCAPE = re.compile(r"\\[uUxNabefrv0/_LP \t\r\n]")


_PROSE = (("description",), ("instructions",), ("summary",), ("title",), ("$comment",))


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a document: a value, or the key of the value at its path."""

    path: Path
    text: str
    is_key: bool = False

    @property
    def is_prose(self) -> bool:
        """Whether it is prose for people and models."""
        return not self.is_key and self.path[-1:] in _PROSE


def texts(document: Document, pattern: str) -> Iterator[Text]:
    """Yield every text that may match a pattern of Rust's `regex`: values, and keys.

    In a source without escapes, one search of the whole source shows whether there is any.
    """
    source = document.source.text
    whole = document.value if _ESCAPE.search(source) else source
    finds = _finder(pattern)
    if not finds(whole):
        return
    waiting: list[tuple[Path, JsonValue]] = [((), document.value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            if finds(value):
                yield Text(path, value)
        elif isinstance(value, dict):
            if finds([*value]):
                yield from (Text((*path, key), key, is_key=True) for key in value)
            waiting += [((*path, key), member) for key, member in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [((*path, index), value[index]) for index in range(len(value) - 1, -1, -1)]


_finder = cache(text_finder)
