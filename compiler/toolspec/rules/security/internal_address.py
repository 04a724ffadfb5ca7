"""A text contains an address of a private network."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "this text contains `{address}`, an address of a private network",
    "delete it",
)
VISITS = DocumentVisit
_SUSPECT = r"\.(?:internal|corp|intranet|lan)\b|https?://1(?:0\.|92\.168|72\.)"
_ADDRESS = re.compile(
    r"(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan)\b"
    r"|https?://(?:10\.[0-9]+|192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))\.[0-9]+\.[0-9]+"
)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each description with a host or an address of a private network."""
    for text in visit.texts(_SUSPECT):
        match = _ADDRESS.search(text.text)
        if match and text.is_prose:
            yield KIND.at(visit.span(text), subject=visit.about(text), address=match[0])
