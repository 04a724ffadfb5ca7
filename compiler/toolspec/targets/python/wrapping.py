"""Documentation text: paragraphs wrapped to the width of a line, and lists of attributes."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from toolspec.targets.python.layout import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable

# The quotes, all of which stand on the first line if the text is a single one.
_QUOTES = len('""""""')


def documentation(*sections: str, depth: int = 1) -> str:
    """Return the sections that are not empty, wrapped, with a blank line between them.

    `depth` is how many levels the docstring will stand indented. Line breaks of the text are kept.
    """
    room = WIDTH - 4 * depth
    present = [section for section in sections if section.strip()]
    return "\n\n".join(
        _wrapped(section, room, room - (0 if number else _QUOTES))
        for number, section in enumerate(present)
    )


def attributes(heading: str, entries: Iterable[tuple[str, str]], depth: int = 1) -> str:
    """Return a section that explains names, one after the other; empty where none is explained."""
    room = WIDTH - 4 * depth - 4
    found = [f"{name}: {' '.join(text.split())}" for name, text in entries if text.strip()]
    if not found:
        return ""
    lines = [line for entry in found for line in _lines(entry, room, "    ")]
    return "\n".join((f"{heading}:", *(f"    {line}" for line in lines)))


def _wrapped(text: str, room: int, first: int) -> str:
    lines: list[str] = []
    for line in text.strip("\n").splitlines():
        width = room if lines else first
        if len(line) <= width:
            lines.append(line)
        else:
            margin = line[: len(line) - len(line.lstrip(" "))]
            lines.extend(_lines(line, width, margin))
    return "\n".join(lines)


def _lines(text: str, room: int, indent: str) -> list[str]:
    """Return a text in lines of at most `room` characters, all but the first indented.

    A line breaks at blanks only: a word that is longer than a line stands alone in one.
    """
    if len(indent) * 2 > room:
        return [text]
    text = text.rstrip()
    if len(text) <= room:
        return [text]
    start = len(text) - len(text.lstrip())
    at = text.rfind(" ", start, room + 1)
    if at < 0:
        at = text.find(" ", start)
    if at < 0:
        return [text]
    later = _full_lines(room - len(indent)).findall(text, at)
    return [text[:at].rstrip(), *[indent + line.rstrip() for line in later]]


@cache
def _full_lines(room: int) -> re.Pattern[str]:
    """Return the pattern of a line: as many words as have room, or one that has none."""
    return re.compile(rf"\S.{{0,{room - 1}}}(?= |\Z)|\S[^ ]*", re.DOTALL)
