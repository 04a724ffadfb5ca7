"""A list does not say what is in it.

A model guesses the items, generated code has `list[object]`, and providers that read a schema as
a grammar refuse the whole tool. `items: {}` at least says that anything will do.

Reported:

    tools:
      - name: tag
        inputSchema:
          type: object
          properties: {labels: {type: array}}

Accepted:

    tools:
      - name: tag
        inputSchema:
          type: object
          properties:
            labels: {type: array, items: {type: string}}
            point: {type: array, prefixItems: [{type: number}, {type: number}]}
            rows: {type: array, items: {}}
            none: {type: array, const: []}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import together
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.keywords import IN_PLACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "this list does not say what is in it",
    "describe the items: `items: {{type: string}}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
_SAYING = IN_PLACE | {"items", "prefixItems", "unevaluatedItems", "$ref", "const", "enum"}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such lists of a schema."""
    paths = [path for path, node in visit.typed("array") if _SAYING.isdisjoint(node)]
    if paths:
        yield together(paths, lambda some: visit.finding(KIND, some[0]), "and this")
