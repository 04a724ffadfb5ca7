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
        ("instruction", "directive", "guideline"),
        r"\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,3}"
        r" (?:instructions?|directives|guidelines)\b",
        "asks the model to set instructions aside",
    ),
    Order(
        ("tell", "mention", "inform", "reveal", "disclos"),
        r"\b(?:do not|don't|never|without|must not) (?:ever )?"
        r"(?:tell|mention|inform|reveal|disclos)(?:e|ing)?"
        r"(?: \w+){0,4} (?:users?|humans?|anyone|anybody)\b(?! apart)",
        "asks the model to keep something from the user",
    ),
    Order(
        ("ask",),
        r"\b(?:do not|don't|never|without) (?:ever )?ask(?:ing)?"
        r"(?: \w+){0,3} (?:confirmation|permission|approval|consent)\b",
        "asks the model to skip the user's consent",
    ),
    Order(
        (r"\.ssh", "id_rsa", r"\.aws/", "/etc/passwd"),
        r"\b(?:read|cat|open|send|pass|include|upload)\b[^.]{0,60}"
        r"(?:~?/?\.ssh\b|\bid_rsa\b|\.aws/credentials|/etc/passwd)",
        "asks the model for private files",
    ),
    Order(
        ("<important", "<system", "<secret"),
        r"<(?:important|system|secret)(?: ?instructions?)?>",
        "marks a part of itself as instructions",
    ),
)
# Letters in other widths and styles, too, which NFKC folds.
WORDS = "(?i:" + "|".join(word for order in ORDERS for word in order.words) + ")|[Ａ-ｚ𝐀-𝟿]{4}"
_ANY = "|".join(f"({order.pattern})" for order in ORDERS)


class Found(NamedTuple):
    """What a text asks for, and the words in which it does."""

    what: str
    quote: str


def order_in(text: str) -> Found | None:
    """Return the first order in a text, whatever its case, width of letters and line breaks."""
    folded = " ".join(normalize("NFKC", text).lower().split())
    found = re.search(_ANY, folded)
    return found and Found(ORDERS[(found.lastindex or 1) - 1].what, found.group())
