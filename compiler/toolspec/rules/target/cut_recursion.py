"""A schema that holds itself is cut off for a provider.

It takes no recursive schemas. As deep as they are unrolled a model can nest; what the author allows
beyond that it cannot say.

Reported:

    targets: [gemini-openapi]
    tools:
      - name: setTree
        inputSchema:
          type: object
          required: [tree]
          properties: {tree: {$ref: "#/$defs/Tree"}}
          $defs:
            Tree:
              type: object
              description: A node.
              properties:
                name: {type: string, description: Its name.}
                children: {type: array, description: Below it., items: {$ref: "#/$defs/Tree"}}

Accepted:

    targets: [openai-chat]
    tools:
      - name: setTree
        inputSchema:
          type: object
          required: [tree]
          properties: {tree: {$ref: "#/$defs/Tree"}}
          $defs:
            Tree:
              type: object
              description: A node.
              properties:
                name: {type: string, description: Its name.}
                children: {type: array, description: Below it., items: {$ref: "#/$defs/Tree"}}
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
    "a recursive schema of `{tool}` is cut off for {targets}",
    "take a flat list whose entries name their parents",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("cut-recursion"))
