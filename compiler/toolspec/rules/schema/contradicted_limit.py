"""The description of a number names other limits than its schema.

A model goes by the text and is refused, or never asks for what it may have. One of the two is left from an earlier
version.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {limit: {type: integer, maximum: 50, description: How many (1-100).}}
    ---
    tools:
      - name: list
        inputSchema:
          type: object
          properties: {level: {type: number, minimum: 1, maximum: 10, description: Between 0 and 10.}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            limit: {type: integer, minimum: 1, maximum: 100, description: Up to 100.}
            count: {type: integer, maximum: 1000, description: Items (1-100 if percent).}
            size: {type: integer, maximum: 4096, description: At most 4 kB.}
            wait: {type: integer, maximum: 3600, description: "How long, in seconds; at most 60 minutes."}
            delay: {type: integer, maximum: 120, description: "Seconds, up to 2 minutes."}
            retry: {type: integer, maximum: 90, description: "Seconds. In minutes, maximum: 2."}
            level: {type: integer, minimum: 1, maximum: 9, description: "Level (1-3 beginner, 4-9 expert)."}
            page: {type: integer, maximum: 500, description: "Page, of at most 20 tickets each."}
            rows: {type: integer, maximum: 500, description: "For guests, at most 20."}
            depth: {type: integer, maximum: 9, description: Levels in a tree of at most 5.}
            year: {type: integer, minimum: 1970, description: "From 1970, for instance 2024."}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.rules.prose import stated_bounds
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the description says that the {keyword} is {told}, the schema says {stated}",
    "correct the one that is out of date",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding at each limit that the description contradicts."""
    for each in visit.properties if visit.is_input else ():
        if "maximum" not in each.schema and "minimum" not in each.schema:
            continue
        least, most = stated_bounds(each.schema)
        for keyword, told in (("minimum", least), ("maximum", most)):
            stated = each.schema.get(keyword)
            if told is None or stated is None or stated == told:
                continue
            place = visit.place(*each.path, "description")
            labels = [Label(place.value_span, "said here")] if place else []
            at = (*each.path, keyword)
            yield visit.finding(KIND, at, labels=labels, keyword=keyword, told=told, stated=stated)
