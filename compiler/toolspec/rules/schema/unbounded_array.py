"""A list among the arguments may have any number of items.

Whoever sends a million decides how long the call runs and what it costs. A limit also tells a model
when to split its work into several calls.

Reported:

    tools:
      - name: tag
        inputSchema:
          type: object
          properties: {labels: {type: array, items: {type: string}}}

Accepted:

    tools:
      - name: tag
        inputSchema:
          type: object
          properties:
            labels: {type: array, items: {type: string}, maxItems: 50}
            days: {type: array, items: {enum: [mon, tue]}, uniqueItems: true}
            flags: {type: array, items: {$ref: "#/$defs/Flag"}, uniqueItems: true}
            point: {type: array, prefixItems: [{type: number}, {type: number}], items: false}
          $defs: {Flag: {enum: [all, new]}}
        outputSchema: {type: array, items: {type: string}}
      - name: wake
        inputSchema:
          $schema: http://json-schema.org/draft-07/schema#
          type: object
          properties:
            at: {type: array, items: [{type: integer}, {type: integer}], additionalItems: false}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import together
from toolspec.rules.rule import declare
from toolspec.rules.unions import meant
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "this list may have any number of items",
    "state the most that one call can handle: `maxItems: 100`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
_LIMITING = frozenset({"maxItems", "const", "enum", "$ref"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all lists without a limit in what a model writes."""
    if not visit.is_input:
        return
    paths = [path for path, node in visit.typed("array") if not _is_limited(visit, node)]
    if paths:
        yield together(paths, lambda some: visit.finding(KIND, some[0]), "and this")


def _is_limited(visit: SchemaVisit, node: JsonObject) -> bool:
    items = node.get("items")
    if not _LIMITING.isdisjoint(node) or items is False:
        return True
    if isinstance(items, list):  # a tuple of draft-07
        return node.get("additionalItems") is False
    if node.get("uniqueItems") is not True:
        return False
    each = meant(items, visit.schema.bundle)
    return isinstance(each, dict) and "enum" in each
