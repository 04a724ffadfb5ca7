"""Whitespace of texts."""

from __future__ import annotations


def single_spaced(text: str) -> str:
    """Return a text with each run of whitespace as one blank, and none at its ends."""
    # Most texts are so already, and splitting them takes six times as long. The only printable
    # whitespace is the blank.
    if "  " not in text and text.isprintable():
        return text.strip(" ")
    return " ".join(text.split())
