"""Whitespace of texts."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return a text on one line: each run of whitespace is one blank, and none is at its ends."""
    # Most texts are so already, and splitting them takes six times as long. The only printable
    # whitespace is the blank.
    if "  " not in text and text.isprintable():
        return text.strip(" ")
    return " ".join(text.split())
