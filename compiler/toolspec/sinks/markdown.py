"""The one sink for Markdown: text of a spec, made inert for CommonMark, GFM and what runs before them.

Spec text is plain text. It can open no heading, list, table, fence, link, image, footnote, HTML,
formula or template tag, and cannot leave the place that it was given.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category

from toolspec.sinks.json_text import json_text

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

# An address or a mail box would become a link by itself; as code it never does. No text makes the
# search start twice on the same characters: it is linear.
_ADDRESS = re.compile(
    r"(?:https?://|ftp://|www\.|mailto:|xmpp:)[^\s`|<>{}]*[^\s`|<>{}.,;:!?'\")\]*_~]"
    r"|(?<![a-z0-9._+-])[a-z0-9._+-]++@[a-z0-9-]+(?:\.[a-z0-9_-]+)+",
    re.IGNORECASE,
)
# Marks of Markdown, formulas and template tags; what begins an entity or a tag of HTML; and what
# would still link by itself where it is no whole address. `_` between two letters or digits opens
# nothing, and names are full of them. One set of characters comes first, what stands around them
# after it: so the search runs through plain words without trying anything.
_SPECIAL = re.compile(
    r"[\\`*\[\]{|~#$<@%_&:.](?:(?<=[\\`*\[\]{|~#$<@])|(?<=\{%)|(?<=_)(?:(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))"
    r"|(?<=&)(?=#?[A-Za-z0-9]+;)|(?<=[A-Za-z]:)(?=//)|(?<=[Ww]{3}\.))"
)
# What most lines are: letters, digits and marks that mean nothing in the middle of one.
_PLAIN = re.compile(r"[A-Za-z(\"'/][ !\"'()+,\-./0-9;=>?A-Za-z^}]*")
# What most code is: printable ASCII without the marks that need a longer look.
_PLAIN_CODE = re.compile(r"[!-_a-z}~](?:[ -_a-z}~]*[!-_a-z}~])?")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
_BLOCK = re.compile(r"[-+=>:]|[0-9]{1,9}(?=[.)](?: |$))")
# A line that its author began on purpose: a list item, or one that is indented.
_OWN_LINE = re.compile(r"[ \t]|[-*+•·] |[0-9]{1,9}[.)] ")
_PARAGRAPHS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
# As CommonMark has it: a run of backticks to the next run that is as long.
_CODE = re.compile(r"(?<!`)(?P<marks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=marks)(?!`)")
_TEMPLATE = re.compile(r"\{(?=[{%])")
_SUSPECT = re.compile(r"[^\t\n -~]")
# Joiners are at home between letters of their scripts and between emoji, and hide nowhere else.
_JOINER = re.compile(r"(?<=[^\W -~])\u200c(?=[^\W -~])|(?<=[^\s -~])\u200d(?=[^\s -~])")
# Letters that leave no mark: fillers of Hangul, the blank of Braille, selectors of variants.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def visible(content: str) -> str:
    """Return a text with line ends as LF, and hidden and control characters as `U+XXXX`."""
    lines = content.replace("\r\n", "\n").replace("\r", "\n")
    if not _SUSPECT.search(lines):
        return lines
    joiners = {found.start() for found in _JOINER.finditer(lines)}
    return _SUSPECT.sub(
        lambda found: found[0] if found.start() in joiners else _shown(found[0]), lines
    )


def text(content: str) -> str:
    """Return a text as paragraphs: its blank lines part them, its lists keep their lines."""
    paragraphs = _PARAGRAPHS.split(visible(content).strip("\n"))
    return "\n\n".join(filter(None, map(_paragraph, paragraphs)))


def cell(content: str) -> str:
    """Return a text on one line, for a cell of a table, a heading, or an item of a list."""
    if _is_plain(content):
        return content
    return _line(" ".join(visible(content).split()))


def code(content: str) -> str:
    """Return a text as inline code; as plain text where code could not hold it as it is.

    A `|` would part cells, template tags are found in code too, and code trims its blanks.
    """
    if _PLAIN_CODE.fullmatch(content):
        return f"`{content}`"
    if _holds(content):
        if "`" not in content:
            return f"`{content}`"
        fence = _fence(content, 1)
        return f"{fence} {content} {fence}"
    return cell(content)


def prose(content: str) -> str:
    """Return a text of our own on one line, in which what stands between backticks is code.

    For the manual of the compiler itself. Text of a spec has no marks that mean anything.
    """
    pieces: list[str] = []
    end = 0
    line = " ".join(content.split())
    for found in _CODE.finditer(line):
        pieces += (_linked(line[end : found.start()]), code(found["code"].strip()))
        end = found.end()
    return _block("".join((*pieces, _linked(line[end:]))))


def fenced(content: str, language: str = "") -> str:
    """Return lines of code as they are, in a fence longer than any run of backticks inside.

    For text of our own making. JSON of a spec goes through `fenced_json`.
    """
    fence = _fence(content, 3)
    return f"{fence}{language}\n{content.rstrip()}\n{fence}"


def fenced_json(value: JsonValue) -> str:
    """Return a value as a block of JSON, in ASCII; template tags inside strings are escaped."""
    return fenced(_TEMPLATE.sub(r"\\u007b", json_text(value)), "json")


def _is_plain(content: str) -> bool:
    """Whether a text is one line, without a blank too many, that means nothing but itself."""
    # An address may begin with `www.`; all others need a mark that is not plain.
    return (
        _PLAIN.fullmatch(content) is not None
        and "  " not in content
        and content[-1] != " "
        and "w." not in content
        and "W." not in content
    )


def _fence(content: str, least: int) -> str:
    """Return the shortest run of backticks that is longer than any inside."""
    longest = max(map(len, re.findall("`+", content)), default=0) if "`" in content else 0
    return "`" * max(least, longest + 1)


def _holds(content: str) -> bool:
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
        written.append(_line(" ".join(line.split())))
    return "".join(written)


def _line(line: str) -> str:
    """Return one line without blanks around it, with what could mark it as a block escaped."""
    return _block(_linked(line))


def _linked(line: str) -> str:
    """Return a part of a line with its marks escaped; an address is code, so that it is no link."""
    pieces: list[str] = []
    end = 0
    if "@" in line or ":" in line or "www." in line.lower():
        for found in _ADDRESS.finditer(line):
            pieces += (_escaped(line[end : found.start()]), f"`{found[0]}`")
            end = found.end()
    return "".join((*pieces, _escaped(line[end:])))


def _block(escaped: str) -> str:
    return _BLOCK.sub(_block_escape, escaped, count=1) if _BLOCK.match(escaped) else escaped


def _block_escape(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _escaped(plain: str) -> str:
    return _SPECIAL.sub(lambda found: _ENTITIES.get(found[0]) or f"\\{found[0]}", plain)
