"""A provider is told a limit in words only.

It has no keyword for it, so a sentence in the description stands in its place. A model mostly keeps to
it; what it gets wrong the runtime refuses, and the model has to call again.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: setTags
        inputSchema:
          type: object
          additionalProperties: false
          required: [tags]
          properties:
            tags: {type: array, items: {type: string}, uniqueItems: true, description: Which.}

Accepted:

    targets: [anthropic]
    tools:
      - name: setTags
        inputSchema:
          type: object
          properties:
            tags: {type: array, items: {type: string}, uniqueItems: true, description: Which.}
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
    "a limit of `{tool}` is not enforced by {targets}, only described",
    "nothing has to be done; the runtime checks it",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("note"))
