"""A map is sent as a list of pairs.

The provider has no objects with free keys. A model writes a list of `key` and `value`, and the runtime
makes the map of it again; what logs of the provider show differs from what the handler gets.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: setLabels
        inputSchema:
          type: object
          additionalProperties: false
          required: [labels]
          properties:
            labels:
              type: object
              description: By name.
              additionalProperties: {type: string}

Accepted:

    targets: [openai-chat]
    tools:
      - name: setLabels
        inputSchema:
          type: object
          required: [labels]
          properties:
            labels:
              type: object
              description: By name.
              additionalProperties: {type: string}
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
    "a map of `{tool}` is sent as a list of pairs to {targets}",
    "nothing has to be done where calls go through `registry.call_from`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("map-to-pairs"))
