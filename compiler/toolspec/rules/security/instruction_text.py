"""A text gives the model instructions that go beyond the tool."""

from toolspec.rules.api import (
    PHRASES,
    Diagnostics,
    DocumentVisit,
    Severity,
    declare,
    find_injection_phrase,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text {what}: `{quote}`",
    "say only what the tool does",
)
VISITS = DocumentVisit


# Every character that folding turns into one that the patterns contain.
FOLDED = (
    "[\u00aa\u00ba\u0130\u0132\u0133\u013f\u0140\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u02b0-\u02b8"
    "\u02e1-\u02e3\u1d2c-\u1d6a\u1d9c-\u1dbb\u1e9a\u2071\u207f\u2090-\u209c\u20a8\u2100-\u2149"
    "\u2160-\u217f\u249c-\u24e9\u2c7c\u2c7d\u3250\u32cc-\u32cf\u3371-\u33df\u33ff\ua7f2-\ua7f4"
    "\ufb00-\ufb06\ufe33\ufe34\ufe4d-\ufe65\uff01-\uff5e\U000107a5\U0001d400-\U0001d6a3"
    "\U0001f110-\U0001f190]"
)

# Replacements that loosen the patterns, so that they match at least as much in the source of a
# text, and need no feature that Rust's `regex` lacks: a space matches any escaped one.
_LOOSER = (
    ("(?! apart)", ""),
    (r"\b", ""),
    (r"\w+", r"\S+"),
    (" ", r"(?:(?:[^!-~]|\\[nrt])+)"),
    ("'", "''?"),
    (r"\.", r"[^!-\-/-~]"),
    ("{0,60}", "*"),
)


def _loosened(pattern: str) -> str:
    for strict, loose in _LOOSER:
        pattern = pattern.replace(strict, loose)
    return pattern


# Pattern for all texts of a document at once: texts without a match contain no injection.
SUSPECT = f"(?i:{'|'.join(_loosened(phrase.pattern) for phrase in PHRASES)})|{FOLDED}"


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text with such wording."""
    for text in visit.texts(SUSPECT):
        if phrase := find_injection_phrase(text.text):
            yield KIND.at(
                visit.span(text), subject=visit.about(text), what=phrase.what, quote=phrase.quote
            )
