"""A schema without `type` has keywords of one type only.

JSON Schema lets every value of another type through: `{minLength: 2}` accepts 5, and `{properties: …}`
accepts a list. The validator does so too, and generated code has `object` there. Writing the type
makes both say what is meant; it refuses values that were accepted before, so the fix is unsafe.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            day: {format: date, description: The day.}
            sort: {properties: {by: {type: string}}, description: The order.}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            day: {type: string, format: date, description: The day.}
            state: {enum: [open, closed], minLength: 2}
            either: {type: [string, "null"], anyOf: [{minLength: 2}, {type: "null"}]}
            mixed: {minLength: 2, minimum: 1, description: A text or a number.}
            payload: {description: Any JSON value.}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.grouping import everywhere, together
from toolspec.rules.rule import declare
from toolspec.rules.subjects import ABOUT, implied_type
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.keywords import IN_PLACE
from toolspec.schema.walk import applied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "no `type` here: {keywords} let every value through that is not of type {type}",
    "write `type: {type}` if no other value is meant",
)
VISITS = SchemaVisit
KEYWORDS = frozenset(ABOUT)
# The type is stated beside the keyword that leads here, or is that of names.
_TYPED_ELSEWHERE = IN_PLACE | {"propertyNames"}
_TYPED = ("string", "array", "object", "number")


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such schemas of one type."""
    found: dict[str, list[Path]] = {}
    for path, node in visit.using(*ABOUT):
        kind = implied_type(node)
        if kind and _TYPED_ELSEWHERE.isdisjoint(applied(path)[-1:]):
            found.setdefault(kind, []).append(path)
    for kind in _TYPED:
        if kind in found:
            yield together(found[kind], partial(_report, visit, kind), "and this")


def _report(visit: SchemaVisit, kind: str, paths: Sequence[Path]) -> Diagnostic:
    nodes = dict(visit.survey.nodes)
    node = nodes[paths[0]]
    words = [f"`{word}`" for word in node if word in ABOUT] if isinstance(node, dict) else []
    edit = everywhere(
        visit, paths, lambda place: edits.insert_member(place, "type", kind, after="title")
    )
    fix = edits.fix(f"write `type: {kind}`", edit)
    return visit.finding(KIND, paths[0], fix=fix, keywords=", ".join(words), type=kind)
