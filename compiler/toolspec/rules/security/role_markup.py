"""A text contains a marker of a chat template."""

from toolspec.rules.api import (
    ROLE_MARK,
    Diagnostics,
    DocumentVisit,
    Severity,
    declare,
    find_role_mark,
)

KIND = declare(
    __name__,
    Severity.ERROR,
    "this text contains `{mark}`, which models read as a change of speaker",
    "delete the marker",
)
VISITS = DocumentVisit


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text with a marker of a chat template."""
    for text in visit.texts(ROLE_MARK):
        if mark := find_role_mark(text.text):
            yield KIND.at(visit.span(text), subject=visit.about(text), mark=mark)
