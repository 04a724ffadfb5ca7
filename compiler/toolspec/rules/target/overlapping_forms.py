"""A value of which one form is to hold may hold two for a provider.

It knows `anyOf`, not `oneOf`. Where no form excludes the others, a model can write what fits two of
them, and the runtime refuses it.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: find
        inputSchema:
          type: object
          additionalProperties: false
          required: [by]
          properties:
            by:
              description: By what.
              oneOf:
                - {type: string, maxLength: 10}
                - {type: string, pattern: "^[a-z]+$"}

Accepted:

    targets: [openai-chat-strict]
    tools:
      - name: find
        inputSchema:
          type: object
          additionalProperties: false
          required: [by]
          properties:
            by: {description: By what., oneOf: [{type: string}, {type: integer}]}
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
    "a `oneOf` of `{tool}` is an `anyOf` to {targets}",
    "tell the forms apart by a member with a `const` of its own in each",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("one-of-to-any-of", fates={Outcome.WIDENED}))
