"""Markdown: escaping of spec text (CommonMark, GFM and preprocessors), and layout of pages.

Spec text is plain text. It cannot create headings, lists, tables, fences, links, images, footnotes,
HTML, formulas or template tags, nor leave its block.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category

from toolspec.shared.whitespace import single_spaced
from toolspec.sinks.json_text import json_example

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.syntax.nodes import JsonValue

# URLs and email addresses would be linked automatically, but not in code. No text makes the
# search start twice on the same characters: it is linear.
_ADDRESS = re.compile(
    r"(?:https?://|ftp://|www\.|mailto:|xmpp:)[^\s`|<>{}]*[^\s`|<>{}.,;:!?'\")\]*_~]"
    r"|(?<![a-z0-9._+-])[a-z0-9._+-]++@[a-z0-9-]+(?:\.[a-z0-9_-]+)+",
    re.IGNORECASE,
)
# Marks of Markdown, formulas and template tags; starts of entities and HTML tags; and marks that
# would link automatically outside a complete address. `_` between two letters or digits has no
# effect and is common in names. A single character set comes first, its context after it, so
# that the search passes plain words without backtracking.
_SPECIAL = re.compile(
    r"[\\`*\[\]{|~#$<@%_&:.](?:(?<=[\\`*\[\]{|~#$<@])|(?<=\{%)|(?<=_)(?:(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))"
    r"|(?<=&)(?=#?[A-Za-z0-9]+;)|(?<=[A-Za-z]:)(?=//)|(?<=[Ww]{3}\.))"
)
# Most lines: letters, digits and marks without a meaning inside a line.
_PLAIN = re.compile(r"[A-Za-z(\"'/][ !\"'()+,\-./0-9;=>?A-Za-z^}]*")
# Most code: printable ASCII without marks that need escaping.
_PLAIN_CODE = re.compile(r"[!-_a-z}~](?:[ -_a-z}~]*[!-_a-z}~])?")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
_BLOCK = re.compile(r"[-+=>:]|[0-9]{1,9}(?=[.)](?: |$))")
# A deliberate line break: before a list item or an indented line.
_OWN_LINE = re.compile(r"[ \t]|[-*+•·] |[0-9]{1,9}[.)] ")
_PARAGRAPHS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
# As in CommonMark: a run of backticks up to the next run of equal length.
_CODE = re.compile(r"(?<!`)(?P<marks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=marks)(?!`)")
_TEMPLATE = re.compile(r"\{(?=[{%])")
_SUSPECT = re.compile(r"[^\t\n -~]")
# Joiners are legitimate between letters of their scripts and between emoji only.
_JOINER = re.compile(r"(?<=[^\W -~])\u200c(?=[^\W -~])|(?<=[^\s -~])\u200d(?=[^\s -~])")
# Invisible letters: Hangul fillers, the Braille blank, variation selectors.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def visible(content: str) -> str:
    """Return text with LF line ends, and hidden and control characters as `U+XXXX`."""
    lines = content.replace("\r\n", "\n").replace("\r", "\n")
    if not _SUSPECT.search(lines):
        return lines
    joiners = {match.start() for match in _JOINER.finditer(lines)}
    return _SUSPECT.sub(
        lambda match: match[0] if match.start() in joiners else _shown(match[0]), lines
    )


def text(content: str) -> str:
    """Return text as paragraphs, separated by its blank lines; lists keep their lines."""
    paragraphs = _PARAGRAPHS.split(visible(content).strip("\n"))
    return "\n\n".join(filter(None, map(_paragraph, paragraphs)))


def cell(content: str) -> str:
    """Return text on one line, for a table cell, heading or list item."""
    if not content or _is_plain(content):
        return content
    return _line(single_spaced(visible(content)))


def code(content: str) -> str:
    """Return text as inline code, or as plain text if code could not represent it.

    A `|` would end a table cell, template tags are processed in code too, and blanks are trimmed.
    """
    if _PLAIN_CODE.fullmatch(content):
        return f"`{content}`"
    if _is_representable(content):
        if "`" not in content:
            return f"`{content}`"
        fence = _fence(content, 1)
        return f"{fence} {content} {fence}"
    return cell(content)


def prose(content: str) -> str:
    """Return the compiler's own text on one line, with backticks as inline code.

    For the manual of the compiler; marks in spec text have no meaning.
    """
    pieces: list[str] = []
    end = 0
    line = single_spaced(content)
    for match in _CODE.finditer(line):
        pieces += (_linked(line[end : match.start()]), code(match["code"].strip()))
        end = match.end()
    return _block("".join((*pieces, _linked(line[end:]))))


def fenced(content: str, language: str = "") -> str:
    """Return code in a fence longer than any run of backticks inside.

    For generated text; JSON of a spec needs `fenced_json`.
    """
    fence = _fence(content, 3)
    return f"{fence}{language}\n{content.rstrip()}\n{fence}"


def fenced_json(value: JsonValue) -> str:
    """Return a value as a block of ASCII JSON, with template tags in strings escaped."""
    return fenced(json_example(value), "json")


def _is_plain(content: str) -> bool:
    """Whether a text is one line without redundant blanks or special meaning."""
    # An address may begin with `www.`; all others contain a special mark.
    return (
        _PLAIN.fullmatch(content) is not None
        and "  " not in content
        and content[-1] != " "
        and "www." not in content.lower()
    )


def _fence(content: str, least: int) -> str:
    """Return the shortest run of backticks that is longer than any inside."""
    longest = max(map(len, re.findall("`+", content)), default=0) if "`" in content else 0
    return "`" * max(least, longest + 1)


def _is_representable(content: str) -> bool:
    return (
        bool(content)
        and content == content.strip()
        and content.isprintable()
        and (content.isascii() or content == visible(content))
        and "|" not in content
        and not _TEMPLATE.search(content)
    )


def _shown(character: str) -> str:
    hidden = character in _BLANK or category(character) in _HIDDEN or _is_selector(character)
    return f"U+{ord(character):04X}" if hidden else character


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0e" or "\U000e0100" <= character <= "\U000e01ef"


def _paragraph(paragraph: str) -> str:
    lines = [line for line in paragraph.split("\n") if line.strip()]
    written: list[str] = []
    for index, line in enumerate(lines):
        if index:
            written.append("\\\n" if _OWN_LINE.match(line) else "\n")
        written.append(_line(single_spaced(line)))
    return "".join(written)


def _line(line: str) -> str:
    """Return a stripped line, with marks escaped that would start a block."""
    return _block(_linked(line))


def _linked(line: str) -> str:
    """Return part of a line with its marks escaped, and addresses as code to prevent links."""
    pieces: list[str] = []
    end = 0
    if "@" in line or ":" in line or "www." in line.lower():
        for match in _ADDRESS.finditer(line):
            pieces += (_escaped(line[end : match.start()]), f"`{match[0]}`")
            end = match.end()
    return "".join((*pieces, _escaped(line[end:])))


def _block(escaped: str) -> str:
    return _BLOCK.sub(_block_escape, escaped, count=1) if _BLOCK.match(escaped) else escaped


def _block_escape(match: re.Match[str]) -> str:
    return f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}"


def _escaped(plain: str) -> str:
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0]) or f"\\{match[0]}", plain)


def blocks(*parts: str) -> str:
    """Return the non-empty parts as blocks of one text."""
    return "\n\n".join(filter(None, parts))


def bullets(items: Iterable[str]) -> str:
    """Return the items as a list; empty for no items."""
    return "\n".join(f"- {item}" for item in items)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as a table; empty for no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join((f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *lines))


def section(title: str, *parts: str) -> str:
    """Return the parts under a heading; empty if all parts are."""
    body = blocks(*parts)
    return blocks(title, body) if body else ""
