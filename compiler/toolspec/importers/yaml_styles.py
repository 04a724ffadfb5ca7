"""Styles of YAML that lose nothing of a text, in any reader of YAML 1.1 or 1.2."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

COMMENT_WIDTH = 92
"""Longest key, scalar and comment on one line together."""

_FLOW_WIDTH = 92
_LONG = 88
# Document, service, list of tools and tool are always written as blocks.
_FRAME = 2
# A text of such words needs no quotes anywhere: in a block, in a flow, as a key.
_BARE = re.compile(r"[A-Za-z_$/][A-Za-z0-9_$./-]*( [A-Za-z0-9_$./()-]+)*")
# Readers of YAML 1.1 interpret these as booleans and null.
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def comment_text(text: str) -> str:
    """Return a text for a comment: one line, without invisible characters."""
    return "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in text)


def head_text(header: Sequence[str], body: str) -> str:
    """Return a document with lines of comments before it."""
    head = "".join(f"# {comment_text(line)}".rstrip() + "\n" for line in header)
    return f"{head}\n{body}" if head else body


def is_block(text: str) -> bool:
    """Return whether a text that is not plain is written as a literal block."""
    is_long = "\n" in text or (len(text) > _LONG and " " in text)
    return is_long and _is_kept_in_block(text)


def is_short(value: JsonObject | list[JsonValue], path: Path) -> bool:
    """Return whether a collection fits on one line; the frame of a document never does."""
    return not value or (
        len(path) > _FRAME and len(canonical_json(value)) + 3 * len(path) <= _FLOW_WIDTH
    )


def is_bare(text: str) -> bool:
    """Return whether a text needs no quotes anywhere."""
    return _BARE.fullmatch(text) is not None and text.lower() not in _WORDS


def is_plain(text: str) -> bool:
    """Return whether a text of a block needs no quotes: prose that begins with a letter."""
    if is_bare(text):
        return True
    begins = text[:1].isalpha() and text[:1].isascii()
    return (
        begins
        and len(text) <= _LONG
        and text.isprintable()
        and not text.endswith((" ", ":"))
        and ": " not in text
        and " #" not in text
        and text.lower() not in _WORDS
    )


def _is_kept_in_block(text: str) -> bool:
    """Return whether a literal block preserves a text, even in editors that trim lines.

    Tabs inside a line are fine; some readers count one at the beginning as indentation.
    """
    lines = text.removesuffix("\n").split("\n")
    return (
        bool(lines[0])
        and bool(lines[-1])
        and not lines[0][0].isspace()
        and all(line.replace("\t", "").isprintable() for line in lines)
        and not any(line.startswith("\t") or line[-1:] in {" ", "\t"} for line in lines)
    )
