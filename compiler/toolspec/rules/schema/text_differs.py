"""The description of a parameter says something else than its schema.

It names another default, or another limit. A model goes by the text, the runtime by the schema: one of the two is left
from an earlier version.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {limit: {type: integer, default: 50, description: "How many (default: 20)."}}
    ---
    tools:
      - name: list
        inputSchema:
          type: object
          properties: {limit: {type: integer, maximum: 50, description: Between 1 and 100.}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            limit: {type: integer, default: 20, maximum: 100, description: "Up to 100 (default: 20)."}
            order: {type: string, default: asc, description: Defaults to `asc`.}
            cursor: {type: string, default: null, description: Defaults to 'start'.}
            count: {type: integer, maximum: 1000, description: Items (1-100 if percent).}
            both: {type: integer, default: 5, description: "Default 5, for admins default 10."}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.rules.prose import stated_bounds, stated_default
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.findings import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject, JsonValue

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the description says that the {what} is {told}, the schema says {stated}",
    "correct the one that is out of date",
)
VISITS = SchemaVisit


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding at each keyword that the description contradicts."""
    for each in visit.properties if visit.is_input else ():
        for keyword, told in _told(each.schema) if "description" in each.schema else ():
            stated = each.schema[keyword]
            if stated is None or told is None or stated == told:
                continue
            place = visit.place(*each.path, "description")
            labels = [Label(place.value_span, "said here")] if place else []
            yield visit.finding(
                KIND,
                (*each.path, keyword),
                labels=labels,
                what=keyword,
                told=shown(told),
                stated=shown(stated),
            )


def _told(schema: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    """Yield what the description says of each keyword that the schema has."""
    if "default" in schema:
        told = stated_default(schema)
        yield "default", told.value if told else None
    if "minimum" in schema or "maximum" in schema:
        least, most = stated_bounds(schema)
        if "minimum" in schema:
            yield "minimum", least
        if "maximum" in schema:
            yield "maximum", most
