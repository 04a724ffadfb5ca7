"""A value is listed twice.

It changes nothing for a validator, but some refuse such a list, generators make two constants of one
name from it, and one of the two was perhaps meant to be another value.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {state: {type: string, enum: [open, closed, open]}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            state: {enum: [open, closed, Open]}
            level: {enum: [1, true, "1"]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.findings import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{value} is listed twice",
    "delete the second, or correct it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding at each value that stands in its list before."""
    for path, node in visit.using("enum"):
        values = node["enum"]
        if not isinstance(values, list):
            continue
        if set(map(type, values)) == {str} and len(set(map(str, values))) == len(values):
            continue
        first: dict[tuple[bool, str], int] = {}
        for index, value in enumerate(values):
            at = first.setdefault(_identity(value), index)
            if at != index:
                place = visit.place(*path, "enum", at)
                labels = [Label(place.span, "the first time")] if place else []
                here = (*path, "enum", index)
                yield visit.finding(KIND, here, labels=labels, value=shown(value))


def _identity(value: JsonValue) -> tuple[bool, str]:
    """Return what is equal for equal values of JSON: 1 and 1.0, but not 1 and true."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return isinstance(value, str), value if isinstance(value, str) else repr(value)
