"""A provider takes no such list of values.

It wants texts in an `enum`. The values are named in the description instead, and any other passes until
the runtime refuses it.

Reported:

    targets: [gemini-openapi]
    tools:
      - name: rate
        inputSchema:
          type: object
          required: [stars]
          properties: {stars: {type: integer, enum: [1, 2, 3], description: How many.}}

Accepted:

    targets: [gemini-openapi]
    tools:
      - name: rate
        inputSchema:
          type: object
          required: [stars]
          properties: {stars: {type: string, enum: [one, two], description: How many.}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "an `enum` of `{tool}` is not enforced by {targets}, only described",
    "take texts, or a `minimum` and a `maximum`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("fit-enums"))
