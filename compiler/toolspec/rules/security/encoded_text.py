"""A text contains encoded data."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text contains {length} characters of encoded data",
    "write it as plain text, or delete it",
)
VISITS = DocumentVisit
_RUN = re.compile(r"[A-Za-z0-9+/]{120,}={0,2}")


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text for people or models with a long run of base64 or hex."""
    for text in visit.texts(_RUN.pattern):
        match = _RUN.search(text.text)
        if match and text.is_prose and _is_mixed(match[0]):
            length = len(match[0])
            yield KIND.at(visit.span(text), subject=visit.about(text), length=length)


def _is_mixed(run: str) -> bool:
    """Return whether a run has several classes of characters, as base64 does."""
    return any(c.isdigit() for c in run) and any(c.isalpha() for c in run)
