"""Escaping of text for HTML: inline text, paragraphs, code, attributes.

Text of a spec is plain text. It becomes character data of the elements that are written here, or the value of
a quoted attribute; only backticks in it have a meaning, as inline code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.shared.whitespace import single_spaced
from toolspec.sinks.json_text import json_example
from toolspec.sinks.markdown import visible

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

_PLAIN = re.compile(r"[!#-%(-;=?-~]+(?: [!#-%(-;=?-~]+)*")
_SPECIAL = re.compile(r"[&<>\"']")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_CODE = re.compile(r"`([^`]+)`")
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
# A line break that its author meant: before a list item or an indented line.
_OWN_LINE = re.compile(r"[ \t]|[-*+•·] |[0-9]{1,9}[.)] ")
_SCHEMES = ("https://", "http://", "mailto:")


def text(content: str) -> str:
    """Return text on one line, also for a quoted attribute."""
    # Most texts: names and sentences without a mark of HTML.
    if _PLAIN.fullmatch(content):
        return content
    return escaped(single_spaced(visible(content)))


def escaped(content: str) -> str:
    """Return text with its line breaks, for `pre`. Hidden characters are kept."""
    return _SPECIAL.sub(lambda match: _ENTITIES[match[0]], content) if content else ""


def prose(content: str) -> str:
    """Return text on one line, with inline code where it has backticks."""
    line = text(content)
    return _CODE.sub(r"<code>\1</code>", line) if "`" in line else line


def paragraphs(content: str) -> str:
    """Return text as paragraphs, separated by its blank lines; lists keep their lines."""
    parts = _BLANK_LINES.split(visible(content).strip("\n"))
    return "".join(f"<p>{_lines(part)}</p>" for part in parts if part.strip())


def code(content: str) -> str:
    """Return text as inline code, on one line; blanks are kept."""
    shown = visible(content)
    return f"<code>{escaped(shown) if shown.isprintable() else text(content)}</code>"


def link(shown: str, address: str) -> str:
    """Return a link of a text that is HTML already; `address` is the compiler's own."""
    return f'<a href="{text(address)}">{shown}</a>'


def is_safe_address(address: str) -> bool:
    """Return whether a page may link to an address: by HTTP, to a mailbox, or relative."""
    start = "".join(address.split()).lower()
    return start.startswith(_SCHEMES) or ":" not in start.partition("/")[0].partition("#")[0]


def json_block(value: JsonValue) -> str:
    """Return a value as a block of ASCII JSON."""
    return program(json_example(value).rstrip("\n"), "json")


def program(source: str, language: str) -> str:
    """Return code in ASCII as a block; what a reader copies is what it shows."""
    return f'<pre tabindex="0" data-lang="{text(language)}"><code>{escaped(visible(source))}</code></pre>'


def _lines(paragraph: str) -> str:
    lines = [line for line in paragraph.split("\n") if line.strip()]
    joined = prose(lines[0])
    for line in lines[1:]:
        joined += ("<br>" if _OWN_LINE.match(line) else " ") + prose(line)
    return joined
