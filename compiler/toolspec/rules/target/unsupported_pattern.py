"""A provider cannot compile a pattern.

Lookarounds and backreferences are not in the grammars that providers enforce. A sentence in the
description stands in the pattern's place.

Reported:

    targets: [openai-chat-strict]
    tools:
      - name: setName
        inputSchema:
          type: object
          additionalProperties: false
          required: [name]
          properties: {name: {type: string, pattern: "^(?!x)[a-z]+$", description: The name.}}

Accepted:

    targets: [openai-chat-strict]
    tools:
      - name: setName
        inputSchema:
          type: object
          additionalProperties: false
          required: [name]
          properties: {name: {type: string, pattern: "^[a-wyz][a-z]*$", description: The name.}}
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
    "a `pattern` of `{tool}` is not enforced by {targets}, only described",
    "write it without lookaround and backreference",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("filter-patterns"))
