"""An argument is an object of which nothing is said.

A model has to invent the members. What it invents reaches the handler unchecked. Where any names are
welcome, `additionalProperties` can still say what the values are.

Reported:

    tools:
      - name: create
        inputSchema:
          type: object
          properties: {fields: {type: object}}
    ---
    tools:
      - name: create
        inputSchema:
          type: object
          properties: {rows: {type: array, items: {type: object, additionalProperties: {}}}}

Accepted:

    tools:
      - name: create
        inputSchema:
          type: object
          properties:
            labels: {type: object, additionalProperties: {type: string}}
            at: {type: object, properties: {x: {type: number}}}
            none: {type: object, additionalProperties: false}
            kind: {type: object, $ref: "#/$defs/Kind"}
          $defs: {Kind: {properties: {name: {type: string}}}}
    ---
    tools:
      - name: list
        inputSchema: {type: object}
        outputSchema: {type: object}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import together
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit
from toolspec.schema.keywords import IN_PLACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "nothing is said of the members of this object",
    "describe its `properties`, or the values under `additionalProperties`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
_SAYING = IN_PLACE | {"properties", "patternProperties", "propertyNames", "$ref", "const", "enum"}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such objects below the arguments."""
    if not visit.is_input:
        return
    paths = [
        path
        for path, node in visit.typed("object")
        if (path or visit.role is not Role.INPUT)
        and _SAYING.isdisjoint(node)
        and node.get("additionalProperties", True) in (True, {})
    ]
    if paths:
        yield together(paths, lambda some: visit.finding(KIND, some[0]), "nor of this")
