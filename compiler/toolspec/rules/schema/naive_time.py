"""A point in time is a text of no stated form, or of one without a zone.

`03/04/2026` is in March or in April, and `09:00` is another moment in each zone. `format: date-time` (RFC 3339) has one
reading everywhere, and models know it.

Reported:

    tools:
      - name: plan
        inputSchema: {type: object, properties: {day_at: {type: string, description: The first day.}}}
    ---
    tools:
      - name: plan
        inputSchema: {properties: {at_date: {type: string, description: "As YYYY-MM-DD HH:MM:SS."}}}

Accepted:

    tools:
      - name: plan
        inputSchema:
          type: object
          properties:
            start_date: {type: string, format: date}
            end_date: {type: string, description: The last day as YYYY-MM-DD.}
            created_at: {type: string, description: "YYYY-MM-DD HH:MM:SS in UTC."}
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import names, together
from toolspec.rules.prose import open_in_time, text_of
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{problem} time in {names}",
    "write `format: date-time` for a moment, `format: date` for a day",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_TIME = re.compile(
    r"(?:.*_)?(?:date|datetime)|.+_(?:at|time|timestamp)|[a-z]+(?:At|Date|Time|Timestamp|DateTime)"
    r"|since|until"
)
_SAYING = frozenset({"format", "pattern", "enum", "const"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all texts without a form, one for all without a zone."""
    if not visit.is_input:
        return
    times = [
        each for each in visit.properties if _TIME.fullmatch(each.name) and _is_free(each.schema)
    ]
    told = [(each, open_in_time(text_of(each.schema))) for each in times]
    for problem in dict.fromkeys(problem for _, problem in told if problem):
        found = [each for each, known in told if known == problem]
        yield together(found, partial(_tell, visit, problem))


def _tell(visit: SchemaVisit, problem: str, found: Sequence[Property]) -> Diagnostic:
    return visit.finding(KIND, found[0].path, names=names(found), problem=problem)


def _is_free(schema: JsonObject) -> bool:
    return schema.get("type") == "string" and _SAYING.isdisjoint(schema)
