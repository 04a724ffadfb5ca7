"""An object inside the arguments lets through members that it does not describe.

The arguments themselves are often left open, and little is lost. Further inside, a misspelt optional
member passes every check and is ignored: the call succeeds and does something else.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {filter: {type: object, properties: {label: {type: string}}}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            filter: {type: object, properties: {label: {type: string}}, additionalProperties: false}
            labels: {type: object, additionalProperties: {type: string}}
            options: {type: object, properties: {dry: {type: boolean}}, additionalProperties: true}
        outputSchema: {type: object, properties: {at: {type: object, properties: {x: {type: number}}}}}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.grouping import everywhere, together
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit
from toolspec.schema.keywords import IN_PLACE
from toolspec.schema.walk import applied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Place
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "this object lets through members that it does not describe",
    "add `additionalProperties: false`, or `true` where others are welcome",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = IN_PLACE | {"additionalProperties", "unevaluatedProperties", "patternProperties", "$ref"}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such objects below the arguments."""
    if not visit.is_input:
        return
    paths = [
        path
        for path, node in visit.using("properties")
        if "type" in node
        and (path or visit.role is not Role.INPUT)
        and _SAYING.isdisjoint(node)
        and "allOf" not in applied(path)
    ]
    if paths:
        yield together(paths, partial(_tell, visit), "and this")


def _tell(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    fix = edits.fix("close it", everywhere(visit, paths, _close))
    return visit.finding(KIND, paths[0], fix=fix)


def _close(place: Place) -> edits.Edits:
    return edits.insert_member(place, "additionalProperties", value=False)
