"""A point in time is a text of no stated form, or of one without a zone.

`03/04/2026` is in March or in April, and `09:00` is another moment in each zone. `format: date-time` (RFC 3339) has one
reading everywhere, and models know it.

Reported:

    tools:
      - name: plan
        inputSchema:
          type: object
          properties: {startDate: {type: string, description: The first day.}}
    ---
    tools:
      - name: plan
        inputSchema:
          type: object
          properties: {created_at: {type: string, description: "As YYYY-MM-DD HH:MM:SS."}}

Accepted:

    tools:
      - name: plan
        inputSchema:
          type: object
          properties:
            start_date: {type: string, format: date}
            end_date: {type: string, description: The last day as YYYY-MM-DD.}
            created_at: {type: string, description: "YYYY-MM-DD HH:MM:SS in UTC."}
            date: {type: string, description: "Relative, for example yesterday."}
            runtime: {type: string}
            at: {type: string}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.several import together
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "how {names} {verb} written is not said, or without a zone",
    "write `format: date-time` for a moment, `format: date` for a day",
)
VISITS = SchemaVisit
_TIME = re.compile(
    r"(?:.*_)?(?:date|datetime|timestamp)|.+_(?:at|time)|[a-z]+(?:At|Date|Time|Timestamp|DateTime)"
    r"|since|until"
)
_SAYING = frozenset({"format", "pattern", "enum", "const"})
_FORM = re.compile(
    r"ISO|RFC|\d{4}|YY|yy|%Y|epoch|unix|seconds|e\.g\.|example|format", re.IGNORECASE
)
_CLOCK = re.compile(r"HH:MM", re.IGNORECASE)
_ZONE = re.compile(r"zone|UTC|GMT|offset|Z\b|local|[+-]HH|[+-]0\d:", re.IGNORECASE)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema."""
    if not visit.is_input:
        return
    found = [
        each for each in visit.properties if _TIME.fullmatch(each.name) and _is_naive(each.schema)
    ]
    if found:
        names = listed(dict.fromkeys(each.name for each in found))
        verb = "is" if len(found) == 1 else "are"
        yield together(visit, KIND, [each.path for each in found], names=names, verb=verb)


def _is_naive(schema: JsonObject) -> bool:
    if schema.get("type") != "string" or not _SAYING.isdisjoint(schema):
        return False
    text = str(schema.get("description", ""))
    if _CLOCK.search(text):
        return not _ZONE.search(text)
    return not _FORM.search(text)
