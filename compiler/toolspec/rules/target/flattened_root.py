"""A tool with several forms is sent with the parameters of all of them in one.

No provider takes `anyOf`, `oneOf` or `allOf` at the top of a tool's parameters; most refuse the whole
request. The forms are merged, a sentence says which parameters belong together, and the runtime
refuses what mixes them.

Reported:

    targets: [anthropic]
    tools:
      - name: find
        inputSchema:
          type: object
          oneOf:
            - {type: object, required: [id], properties: {id: {type: string, description: Its id.}}}
            - {type: object, required: [name], properties: {name: {type: string, description: Its name.}}}

Accepted:

    targets: [anthropic]
    tools:
      - name: findById
        inputSchema:
          type: object
          required: [id]
          properties: {id: {type: string, description: Its id.}}
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
    "the forms of `{tool}` are sent as one to {targets}",
    "make a tool of each form",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("flatten-root"))
