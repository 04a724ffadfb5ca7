"""What a pattern asks of an engine, and whether it accepts any text that has a match inside."""

from __future__ import annotations

import re

from toolspec.schema.patterns import fault_of

# Each with those who lack it; looked for outside of classes, with escaped backslashes taken out.
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
# A text with something in it: it need not be the whole.
_NOT_BLANK = frozenset({r"\S+", r"\S*"})


def special(pattern: str) -> tuple[str, str] | None:
    """Return the first part of a sound pattern that not every engine knows, and which do not."""
    if fault_of(pattern) is not None:
        return None
    plain = pattern.replace(r"\\", "")
    kept = _CLASS.sub(lambda each: "".join(_IN_CLASS.findall(each[0])), plain)
    found = ((part, lacking) for engine, part, lacking in _KNOWN_TO_FEW if engine.search(kept))
    return next(found, None)


def anchored(pattern: str) -> str:
    """Return a sound pattern that repeats a class and has no anchor, with both; empty for others."""
    if pattern in _NOT_BLANK or fault_of(pattern) is not None:
        return ""
    plain = _LITERAL.sub(_shortened, pattern)
    if _ANCHOR.search(plain) or not _REPEATED.search(plain):
        return ""
    return f"^(?:{pattern})$" if "|" in plain else f"^{pattern}$"


def _shortened(found: re.Match[str]) -> str:
    """Return `C` for a class, a full stop for another escaped character."""
    return "C" if found[0][0] == "[" or found[0][1:] in {"d", "w", "D", "W", "s", "S"} else "."
