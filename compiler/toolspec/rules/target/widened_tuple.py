"""A list whose places have types of their own is sent as one of any of them.

The provider has no tuples. A model may then put the second before the first, and the runtime refuses
it.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: zoom
        inputSchema:
          type: object
          additionalProperties: false
          required: [range]
          properties:
            range:
              type: array
              description: A name and a number.
              prefixItems: [{type: string}, {type: integer}]
              items: false
              minItems: 2

Accepted:

    targets: [openai-chat-strict]
    tools:
      - name: zoom
        inputSchema:
          type: object
          additionalProperties: false
          required: [range, days]
          properties:
            range: {type: array, description: Two numbers., items: {type: integer}, minItems: 2, maxItems: 2}
            days:
              type: array
              description: The first and the last day.
              prefixItems: [{type: string, format: date}, {type: string, format: date}]
              items: false
              minItems: 2
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
    "a tuple of `{tool}` is sent as a list of any of its forms to {targets}",
    "use an object with named members",
)
VISITS = LoweredVisit
_LOST = (Outcome.WIDENED, Outcome.NARROWED)


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("widen-tuple", fates=_LOST))
