"""A tool has no strict form, and is sent to a strict target without one.

The provider then takes the schema as a hint: what a model calls the tool with is only checked by the
runtime. Weigh this rule as an error where every call has to be right at once.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: setMetadata
        inputSchema:
          type: object
          additionalProperties: false
          required: [metadata]
          properties: {metadata: {description: Anything.}}

Accepted:

    targets: [openai-chat-strict]
    tools:
      - name: setMetadata
        inputSchema:
          type: object
          additionalProperties: false
          required: [metadata]
          properties: {metadata: {type: string, description: A text.}}
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
    Severity.WARNING,
    "`{tool}` is not sent strictly to {targets}: {reason}",
    "{advice}",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each keyword that stands in the way of a tool's strict form."""
    fallen = ((profile, each) for profile, sent in visit.lowered_tools for each in sent.fallen)
    yield from visit.refused(KIND, fallen)
