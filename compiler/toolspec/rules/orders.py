"""How poisoned descriptions usually speak to a model."""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize


class Order(NamedTuple):
    """A usual wording: words of which it needs one; the pattern, in lower case; what it does."""

    words: tuple[str, ...]
    pattern: str
    what: str


ORDERS = (
    Order(
        ("ignore", "disregard", "forget", "override", "bypass"),
        r"\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,3}"
        r" (?:instructions?|directives|guidelines|system prompts?|safety rules)\b",
        "asks the model to set instructions aside",
    ),
    Order(
        ("tell", "mention", "inform", "reveal", "notify", "disclose"),
        r"\b(?:do not|don't|never|without|must not) (?:ever )?"
        r"(?:tell|mention|inform|reveal|notify|disclose)(?:ing)?"
        r"(?: \w+){0,4} (?:users?|humans?|anyone|anybody)\b(?! apart)",
        "asks the model to keep something from the user",
    ),
    Order(
        ("confirmation", "permission", "approval", "consent"),
        r"\b(?:do not|don't|never|without) (?:ever )?(?:ask|wait)(?:ing)?"
        r"(?: \w+){0,3} (?:confirmation|permission|approval|consent)\b",
        "asks the model to skip the user's consent",
    ),
    Order(
        (".ssh", "id_rsa", ".aws/credentials", "/etc/passwd"),
        r"\b(?:read|cat|open|send|pass|include|upload)\b[^.]{0,60}"
        r"(?:~?/?\.ssh\b|\bid_rsa\b|\.aws/credentials|/etc/passwd)",
        "asks the model for private files",
    ),
    Order(
        ("<important", "<system", "<secret", "<instruction"),
        r"<(?:important|system|secret|instructions?)>",
        "marks a part of itself as instructions",
    ),
)
WORDS = tuple(word for order in ORDERS for word in order.words)
_ANY = re.compile("|".join(f"({order.pattern})" for order in ORDERS))


class Found(NamedTuple):
    """What a text asks for, and the words in which it does."""

    what: str
    quote: str


def order_in(text: str) -> Found | None:
    """Return the first order in a text, whatever its case, width of letters and line breaks."""
    found = _ANY.search(" ".join(normalize("NFKC", text).lower().split()))
    return found and Found(ORDERS[(found.lastindex or 1) - 1].what, found.group())
