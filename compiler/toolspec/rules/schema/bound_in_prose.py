"""The most that a number may be is said in the description alone.

Nothing refuses more before the handler does, in its own words. With `maximum` in the schema the model is told what it may
send when it is about to get it wrong.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {page_size: {type: integer, description: "Items on a page. Maximum: 100"}}
    ---
    tools:
      - name: list
        inputSchema:
          type: object
          properties: {level: {type: number, minimum: 0, description: Between 0 and 10.}}
    ---
    tools:
      - name: list
        inputSchema:
          type: object
          properties: {count: {type: integer, description: "How many; 30 if omitted, at most 50."}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            page_size: {type: integer, maximum: 100, description: "Maximum: 100"}
            count: {type: integer, description: Maximum number of items.}
            size: {type: integer, description: Up to 10% of the volume.}
            height: {type: integer, description: "Between 1 and 5: docs/rule-in-text-only."}
            width: {type: integer, enum: [10, 20], description: Up to 20.}
            delay: {type: integer, description: "Seconds; at most 60 minutes."}
            page: {type: integer, description: "Page, of at most 20 tickets each."}
            rows: {type: integer, description: "At most 20, for members at most 100."}
            level: {type: integer, minimum: 1, description: "(1-3) beginner, (4-9) expert."}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.prose import stated_bounds
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "only the description of `{name}` says that it is {most} at most",
    "state it in the schema: `maximum: {most}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_LIMITING = frozenset({"maximum", "exclusiveMaximum", "enum", "const"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each number with an upper limit in words; of ranges `docs` speaks."""
    for each in visit.properties if visit.is_input else ():
        if "description" not in each.schema or not _LIMITING.isdisjoint(each.schema):
            continue
        least, most = stated_bounds(each.schema)
        if most is not None and (least is None or "minimum" in each.schema):
            place = visit.place(*each.path)
            edit = edits.insert_member(place, "maximum", most, after="type") if place else ()
            fix = edits.fix("state the maximum", edit)
            yield visit.finding(KIND, each.path, fix=fix, name=each.name, most=most)
