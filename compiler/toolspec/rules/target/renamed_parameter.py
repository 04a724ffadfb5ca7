"""A parameter's name is not legal for a provider.

One bad name makes it refuse the whole request, so the parameter is sent under another one, which the
runtime turns back. The model sees the other one.

Reported:

    targets: [anthropic]
    tools:
      - name: query
        inputSchema:
          type: object
          properties: {"$filter": {type: string, description: Which.}}

Accepted:

    targets: [anthropic]
    tools:
      - name: query
        inputSchema:
          type: object
          properties: {filter: {type: string, description: Which.}, "page.size": {type: integer, description: How many.}}
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
    "a parameter of `{tool}` has a name that {targets} would refuse",
    "rename it; until then calls have to go through `registry.call_from`",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all that the step did to a tool."""
    yield from visit.lost(KIND, visit.losses("rename-keys"))
