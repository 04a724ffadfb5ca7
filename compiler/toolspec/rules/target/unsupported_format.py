"""A provider does not know a format.

It would refuse the tool, so the format becomes a sentence of the description. The runtime still checks what the model sends, unless
`formats: annotate` is set.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: fetch
        inputSchema:
          type: object
          additionalProperties: false
          required: [url]
          properties: {url: {type: string, format: uri, description: What to fetch.}}

Accepted:

    targets: [openai-chat-strict]
    tools:
      - name: wait
        inputSchema:
          type: object
          additionalProperties: false
          required: [until]
          properties: {until: {type: string, format: date-time, description: Until when.}}
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
    "a `format` of `{tool}` is not enforced by {targets}, only described",
    "nothing to do: the runtime checks the formats of JSON Schema, unless `formats: annotate` is set",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("filter-formats"))
