"""A choice of several values says nothing of what they mean.

From four names or more a model picks the one that sounds right. A sentence for each, or one that
says which is the usual one, is what it needs.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {mode: {enum: [full, lite, deep, raw, flat]}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            mode: {enum: [full, lite, deep, raw, flat], description: "How much: `lite` has names alone."}
            state: {enum: [open, closed]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{name}` has {count} values and says nothing of them",
    "say in a description what they mean, and which is the usual one",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
FEW = 3


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each property that a model writes with many values and no description."""
    if not visit.is_input:
        return
    for each in visit.properties:
        values = each.schema.get("enum")
        if isinstance(values, list) and len(values) > FEW and not each.schema.get("description"):
            yield visit.finding(KIND, each.path, name=each.name, count=len(values))
