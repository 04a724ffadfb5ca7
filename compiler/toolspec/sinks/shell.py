"""Escaping of text for the command line of a POSIX shell."""

from __future__ import annotations

import re
from shlex import quote

_UNSEEN = re.compile(r"[^\x20-\x7e]")


def word(text: str) -> str:
    """Return a text as one word of a command line.

    A text with other characters than printable ASCII is written as `$'…'`, which Bash and Zsh know.
    """
    if not _UNSEEN.search(text):
        return quote(text)
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{_UNSEEN.sub(_escape, escaped)}'"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - the basic plane
