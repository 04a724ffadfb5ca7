"""Portability of patterns between engines, and patterns that match anywhere in a text."""

from __future__ import annotations

import re

from toolspec.schema.patterns import fault_of

# Each with the engines that lack it; searched outside of classes, without escaped backslashes.
_KNOWN_TO_FEW = (
    (re.compile(r"\(\?<?[=!]"), "look-around", "the engines of Go and Rust do"),
    (re.compile(r"\\[1-9]"), "a back-reference", "the engines of Go and Rust do"),
    (re.compile(r"\(\?<(?![=!])|\\k<"), "a named group of JavaScript", "Python's `re` does"),
    (re.compile(r"\\u\{|\\c[A-Za-z]"), "an escape of JavaScript", "Python's `re` does"),
    (re.compile(r"\\[pP]\{"), "a property of characters", "Python's `re` does"),
)
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_IN_CLASS = re.compile(r"\\[pPuc](?:\{|[A-Za-z])")
_LITERAL = re.compile(rf"{_CLASS.pattern}|\\.", re.DOTALL)
_ANCHOR = re.compile(r"[$^]|\(\?<?[=!]")
_REPEATED = re.compile(r"C(?:[+*]|\{\d)")
# Patterns for non-blank text, which need not match the whole.
_NOT_BLANK = frozenset({r"\S+", r"\S*"})


def special(pattern: str) -> tuple[str, str] | None:
    """Return the first part of a valid pattern that some engines lack, and those engines."""
    if fault_of(pattern) is not None:
        return None
    plain = pattern.replace(r"\\", "")
    kept = _CLASS.sub(lambda each: "".join(_IN_CLASS.findall(each[0])), plain)
    found = ((part, lacking) for engine, part, lacking in _KNOWN_TO_FEW if engine.search(kept))
    return next(found, None)


def anchored(pattern: str) -> str:
    """Return a valid pattern with anchors if it repeats a class and has none; else empty."""
    if pattern in _NOT_BLANK or fault_of(pattern) is not None:
        return ""
    plain = _LITERAL.sub(_shortened, pattern)
    if _ANCHOR.search(plain) or not _REPEATED.search(plain):
        return ""
    return f"^(?:{pattern})$" if "|" in plain else f"^{pattern}$"


def _shortened(found: re.Match[str]) -> str:
    """Return `C` for a class, a full stop for another escaped character."""
    return "C" if found[0][0] == "[" or found[0][1:] in {"d", "w", "D", "W", "s", "S"} else "."
