"""Test whether a statement in a text applies unconditionally, judged by its wording."""

from __future__ import annotations

import re

# End of a sentence; parentheses are examined separately.
_ENDS = re.compile(r"[.!?;](?=\s|$)|\n")
_ALWAYS = r"if|when|whenever|unless|otherwise|except|depend(?:s|ing)|while|where|else"
_BEFORE = re.compile(
    rf"\b(?:{_ALWAYS})\b|^\W*(?:for|with|without|on|until|under|as)\b", re.IGNORECASE
)
_BEHIND = re.compile(
    rf"\b(?:{_ALWAYS}|or|for(?! all\b)|with|without|on|in|only|until|per|each|every)\b|\((?!default)[^()]*\d",
    re.IGNORECASE,
)
# The case in which the value is absent.
_OMITTED = re.compile(
    r"\b(?:if|when)\s(?:it\s)?(?:is\s)?(?:omitted|unset|absent|missing|left out|not (?:given|set|specified|provided))\b"
    r"|\bunless (?:specified|stated|set|given)(?: otherwise)?\b|\bunless otherwise (?:specified|stated)\b",
    re.IGNORECASE,
)
# Largest distance from a statement to search, however long its sentence.
_FAR = 400


def without_omission(text: str) -> str:
    """Return a text without clauses about an absent value."""
    return _OMITTED.sub("", text)


def holds_always(text: str, start: int, end: int) -> bool:
    """Return whether the sentence around a statement names no condition."""
    first, last = max(0, start - _FAR), end + _FAR
    begin = max(
        (end_of_sentence.end() for end_of_sentence in _ENDS.finditer(text, first, start)),
        default=first,
    )
    stop = _ENDS.search(text, end, last)
    before = without_omission(text[begin:start])
    behind = without_omission(text[end : stop.start() if stop else last])
    if before.rfind("(") > before.rfind(")"):
        before = before[before.rfind("(") + 1 :]
    return _BEFORE.search(before) is None and _BEHIND.search(behind) is None
