"""A `oneOf` whose branches have no value in common could be `anyOf`.

The two mean the same then. `anyOf` is cheaper to check, since the first match decides, and it is the one
that providers take where they read a schema as a grammar.

Reported:

    tools:
      - name: show
        inputSchema: {type: object, properties: {id: {oneOf: [{type: integer}, {type: string}]}}}
    ---
    tools:
      - name: show
        inputSchema:
          type: object
          properties: {shape: {oneOf: [{$ref: "#/$defs/Dot"}, {$ref: "#/$defs/Line"}]}}
          $defs:
            Dot: {type: object, properties: {kind: {const: dot}}, required: [kind]}
            Line: {type: object, properties: {kind: {const: line}}, required: [kind]}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            id: {anyOf: [{type: integer}, {type: string}]}
            level: {oneOf: [{type: integer, minimum: 5}, {type: number, maximum: 9}]}
            by: {type: object, oneOf: [{required: [id]}, {required: [name]}]}
        outputSchema: {oneOf: [{type: integer}, {type: string}]}
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.grouping import everywhere, together
from toolspec.rules.rule import declare
from toolspec.rules.unions import are_disjoint, branches
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the branches of this `oneOf` have no value in common",
    "write `anyOf`, which means the same here",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"oneOf"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such unions in what a model writes, which a fix can rename."""
    if not visit.is_input:
        return
    paths = [
        (*path, "oneOf")
        for path, node in visit.using("oneOf")
        if "anyOf" not in node
        and (found := branches(visit, (*path, "oneOf")))
        and all(are_disjoint(one, other) for one, other in combinations(found, 2))
    ]
    if paths:
        yield together(paths, partial(_tell, visit))


def _tell(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    edit = everywhere(visit, paths, lambda place: edits.rename_key(place, "anyOf"))
    return visit.finding(KIND, paths[0], fix=edits.fix("write `anyOf`", edit, safe=True))
