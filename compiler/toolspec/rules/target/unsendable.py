"""A tool cannot be sent to a provider in any form.

What the keyword says has no form there that allows the same, or less, or more. The list for that
provider is made without the tool; where that is meant, the finding may be allowed to stand.

Reported:

    targets: [gemini]
    tools:
      - name: label
        inputSchema:
          type: object
          properties:
            labels:
              allOf:
                - {type: object, patternProperties: {"^x-": {type: string}}}
                - {type: object, additionalProperties: {type: integer}}

Accepted:

    targets: [gemini]
    tools:
      - name: grow
        inputSchema:
          type: object
          required: [tree]
          properties: {tree: {$ref: "#/$defs/Tree"}}
          $defs:
            Tree:
              type: object
              required: [right]
              properties:
                left: {anyOf: [{$ref: "#/$defs/Tree"}, {type: "null"}]}
                right: {type: string}
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
    Severity.ERROR,
    "`{tool}` cannot be sent to {targets}: {reason}",
    "{advice}, or allow this and do without the tool there",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each keyword that a tool cannot be sent with."""
    refused = ((profile, each) for profile, sent in visit.lowered_tools for each in sent.refusals)
    yield from visit.refused(KIND, refused)
