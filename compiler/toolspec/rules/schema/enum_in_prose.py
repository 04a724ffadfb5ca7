"""The allowed values are listed in the description alone.

A model may send any other text, and nothing refuses it before the handler. As an `enum` the list is checked, is
offered by clients, and becomes a type in generated code.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            sort: {type: string, description: "One of 'created', 'updated' or 'comments'."}
    ---
    tools:
      - name: list
        inputSchema:
          type: object
          properties: {state: {type: string, description: State of the sprint (future|active|closed)}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            sort: {enum: [created, updated], description: "One of 'created', 'updated'."}
            format: {type: string, description: "Either 'csv', 'json', etc."}
            text: {type: string, description: "Provide either text or regex, not both."}
            key: {type: string, description: "Possible values include `a`, `b`."}
            by: {type: string, description: "Either 'text' or 'key' is required."}
            kind: {type: string, description: "Must be 'a' or 'b' unless `raw` is given."}
            right: {type: string, description: "Common values: 'read', 'write'."}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.prose import stated_values
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "only the description of `{name}` lists its values: {values}",
    "list them in an `enum`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = frozenset({"enum", "const", "pattern", "format"})
_MOST = 20


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such parameter; a choice between parameters is none of values."""
    for each in visit.properties if visit.is_input else ():
        if not _SAYING.isdisjoint(each.schema):
            continue
        values = stated_values(each.schema)
        if 1 < len(values) <= _MOST and not _names(visit).issuperset(values):
            place = visit.place(*each.path)
            edit = edits.insert_member(place, "enum", list(values), after="type") if place else ()
            fix = edits.fix("list the values in an `enum`", edit)
            named = listed(values)
            yield visit.finding(KIND, each.path, fix=fix, name=each.name, values=named)


def _names(visit: SchemaVisit) -> set[str]:
    return {each.name for each in visit.properties}
