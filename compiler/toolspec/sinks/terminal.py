"""Escaping of untrusted text for terminals."""

from __future__ import annotations

import json
import re
from typing import Final
from unicodedata import combining, east_asian_width

MAX_FRAGMENT: Final = 120
MAX_TEXT: Final = 1000

# Blank or invisible, although `str.isprintable` accepts them.
_BLANKS = frozenset(
    (
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
        *range(0x180B, 0x1810),
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    )
)
# CI services execute commands in output: `##[…]` and `##vso[…]` anywhere in a line.
_COMMAND = re.compile(r"#(?=#\w*\[)")
# GitHub runners ignore blanks before a command.
_COMMAND_LINE = re.compile(r"^(\s*):(?=:)")
_QUOTED = re.compile(rf"`[^`]{{{MAX_FRAGMENT + 1},}}`")
_TAB = 4


def printable(text: str, limit: int = MAX_TEXT) -> str:
    """Return text as one line without control or invisible characters.

    Controls, line ends, bidi and other invisible characters appear as `<U+200B>`; a text quoted in
    backticks is truncated after `MAX_FRAGMENT` characters, the whole after `limit`. The result
    cannot move the cursor or start a workflow command of a CI service (threats.md, D1).
    """
    text = _QUOTED.sub(lambda match: f"{match[0][:MAX_FRAGMENT]}…`", text)
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    if not text.isprintable() or not text.isascii():
        text = "".join(map(_shown, text))
    return _COMMAND_LINE.sub(r"\1<U+003A>", _COMMAND.sub("<U+0023>", text))


def printable_path(path: str) -> str:
    """Return a path as `printable` does, also safe after a prefix that ends in a colon."""
    return printable(path).replace("::", ":<U+003A>")


def printable_lines(text: str) -> str:
    """Return complete lines, escaping only text that could control a terminal or a CI service.

    For diffs: `patch` accepts the result unless a character had to be escaped.
    """
    return "\n".join(map(_printable_line, text.split("\n")))


def printable_json(value: object) -> str:
    """Return a value as indented ASCII JSON, with `##` escaped for CI services."""
    return json.dumps(value, indent=2).replace("##", "#\\u0023")


def _printable_line(line: str) -> str:
    if not line.isprintable() or not line.isascii():
        line = "".join(character if character == "\t" else _shown(character) for character in line)
    return _COMMAND_LINE.sub(r"\1<U+003A>", _COMMAND.sub("<U+0023>", line))


def cells(line: str) -> list[str]:
    """Return the displayed text of each character of a line, with tabs expanded."""
    is_plain = line.isascii() and line.isprintable()
    shown = list(line) if is_plain else []
    column = 0
    for character in () if is_plain else line:
        cell = " " * (_TAB - column % _TAB) if character == "\t" else _shown(character)
        shown.append(cell)
        column += width(cell)
    for match in _COMMAND.finditer(line):
        shown[match.start()] = "<U+0023>"
    return shown


def width(text: str) -> int:
    """Return the number of terminal columns of a printable text (UAX #11: wide ones take two)."""
    if text.isascii():
        return len(text)
    return sum(_column_count(character) for character in text)


def _column_count(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in {"W", "F"} else 1


def _shown(character: str) -> str:
    if character.isprintable() and ord(character) not in _BLANKS:
        return character
    return f"<U+{ord(character):04X}>"
