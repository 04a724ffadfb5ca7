"""A text gives away an address that is not for everybody.

Names of machines and folders tell an attacker how a network is built, and a reader from outside
nothing.

Reported:

    tools:
      - name: search
        description: Asks search.prod.internal for notes.
    ---
    tools:
      - name: search
        description: Asks http://10.0.3.17:9200 for notes.

Accepted:

    tools:
      - name: search
        description: Asks api.example.com for notes; version 10.0.3.17 or later, internal or not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import DocumentVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "this text names `{address}`, which is an address inside a network",
    "leave it out",
)
VISITS = DocumentVisit
_SUSPECT = r"\.(?:internal|corp|intranet|lan)\b|https?://1(?:0\.|92\.168|72\.)"
_ADDRESS = re.compile(
    r"(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan)\b"
    r"|https?://(?:10\.[0-9]+|192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))\.[0-9]+\.[0-9]+"
)


def check(visit: DocumentVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each description with a host or an address of a private network."""
    for text in visit.texts(_SUSPECT):
        found = _ADDRESS.search(text.text)
        if found and text.is_prose:
            yield KIND.at(visit.span(text), subject=visit.about(text), address=found[0])
