"""An object that takes other members is sent as one that does not.

A strict schema has to be closed. What the author let in besides the named members a model can then not
send; where nothing besides was meant, the schema should say so itself.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: setOwner
        inputSchema:
          type: object
          required: [owner]
          properties: {owner: {type: string, description: Who.}}

Accepted:

    targets: [openai-chat-strict]
    tools:
      - name: setOwner
        inputSchema:
          type: object
          additionalProperties: false
          required: [owner]
          properties: {owner: {type: string, description: Who.}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.providers.ledger import Outcome
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` takes other members, and cannot be sent any by {targets}",
    "say `additionalProperties: false` if none are meant",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("close-objects", fates={Outcome.NARROWED}))
