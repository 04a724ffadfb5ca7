"""Docstring text: paragraphs wrapped to the line width, and lists of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.whitespace import single_spaced
from toolspec.targets.python.code import INDENT, WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable

# Opening and closing quotes, both on the first line of a one-line docstring.
_QUOTES = len('""""""')


def documentation(*sections: str, depth: int = 1, last: str = "") -> str:
    """Return the non-empty sections, wrapped, with a blank line between them.

    `depth` is the indentation level of the docstring. Line breaks of the text are kept. `last` is a
    section already split into lines, such as `attributes` returns.
    """
    room = WIDTH - 4 * depth
    present = [section for section in sections if section.strip()]
    wrapped = [
        _wrapped(section, room, room - (0 if number else _QUOTES))
        for number, section in enumerate(present)
    ]
    return "\n\n".join([*wrapped, last] if last else wrapped)


def attributes(heading: str, entries: Iterable[str]) -> str:
    """Return a section of entries, as `attribute` returns them; empty if all are empty."""
    explained = [entry for entry in entries if entry]
    return f"\n{INDENT}".join((f"{heading}:", *explained)) if explained else ""


def attribute(name: str, text: str, depth: int = 1) -> str:
    """Return the explanation of a name, wrapped; empty without one."""
    line = single_spaced(text)
    room = WIDTH - 4 * depth - len(INDENT)
    return _folded(f"{name}: {line}", room, room - len(INDENT), INDENT * 2) if line else ""


def _wrapped(text: str, room: int, first: int) -> str:
    lines: list[str] = []
    for line in text.strip("\n").splitlines():
        width = room if lines else first
        margin = line[: len(line) - len(line.lstrip(" "))]
        if len(line) > width >= len(margin) * 2:
            lines.append(_folded(line, width, width - len(margin), margin))
        else:
            lines.append(line)
    return "\n".join(lines)


def _folded(text: str, room: int, later: int, margin: str) -> str:
    """Return a text in lines of at most `room` characters, those after the first of `later`.

    A margin precedes each of these. Lines break at blanks only: a word that is longer than a line
    is alone on its line.
    """
    if len(text) <= room:
        return text.rstrip()
    text = text.rstrip()
    lines: list[str] = []
    start, word = 0, len(text) - len(text.lstrip())
    while len(text) - start > room or not lines:
        at = text.rfind(" ", word, start + room + 1)
        if at < 0:
            at = text.find(" ", word)
        if at < 0:
            break
        lines.append(text[start:at].rstrip())
        start = at
        while text[start].isspace():
            start += 1
        word, room = start, later
    lines.append(text[start:])
    return f"\n{margin}".join(lines)
