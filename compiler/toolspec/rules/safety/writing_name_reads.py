"""A tool's name says that it changes something, and its flags say that it only reads.

Clients run such a tool without asking, and as often as they like. If `createInvoice` really creates one,
nobody was asked.

Reported:

    tools:
      - name: createInvoice
        mutation: false

Accepted:

    tools:
      - name: createInvoice
        mutation: true
      - name: createdInvoices
        mutation: false
      - name: getUpdates
        mutation: false
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import CHANGING, CREATING, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` is named as if it changed something, and has `mutation: false`",
    "say `mutation: true` if it does, or choose a verb of reading: `preview`, `plan`, `get`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where the first word of a read-only tool's name is one of changing."""
    if not visit.tool.mutation and words_of(visit.tool.name)[0] in CREATING | CHANGING:
        yield KIND.at(name_span(visit.tool), tool=visit.tool.name)
