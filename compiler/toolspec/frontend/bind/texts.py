"""Default texts: titles from names, summaries from descriptions."""

from __future__ import annotations

import re

# A word is an acronym (capitals not followed by a small letter), or an optional capital and small
# letters; digits belong to the preceding word. `URLs` is one word.
_WORD = re.compile(r"[A-Z]+s?(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
# A full stop that ends a sentence is followed by space, and does not end one of these
# abbreviations. The abbreviations are checked last: at every letter it would be slow.
_SENTENCE_END = re.compile(
    r"[.!?](?=\s)(?<!\be\.g.)(?<!\bi\.e.)(?<!\bvs.)(?<!\bcf.)|[。！？]", re.IGNORECASE
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def title(name: str) -> str:
    """Return a name in title case: `listRepositories` is `List Repositories`.

    Acronyms keep their capitals: `getURL` is `Get URL`, `HTTPStatus` is `HTTP Status`.
    """
    words = _WORD.findall(name) or [name]
    return " ".join(word[:1].upper() + word[1:] for word in words)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text on one line; the first paragraph if it has no end."""
    paragraph = _BLANK_LINE.split(text.strip(), maxsplit=1)[0]
    match = _SENTENCE_END.search(paragraph)
    return " ".join((paragraph[: match.end()] if match else paragraph).split())
