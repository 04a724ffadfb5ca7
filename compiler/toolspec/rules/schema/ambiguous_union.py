"""A branch of `oneOf` is part of another, so that none of its values gets through.

`oneOf` wants exactly one branch to match. Every integer is a number, so between `integer` and `number` all
integers are refused: both match. `anyOf` is what was meant.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          properties: {level: {oneOf: [{type: integer}, {type: number}]}}
    ---
    tools:
      - name: show
        inputSchema:
          type: object
          properties: {since: {oneOf: [{type: string, format: date}, {type: string}]}}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            level: {anyOf: [{type: integer}, {type: number}]}
            id: {oneOf: [{type: integer}, {type: string}]}
            state: {oneOf: [{const: open, title: Open}, {const: closed, title: Closed}]}
            size: {oneOf: [{type: string, maxLength: 3}, {type: string, minLength: 9}]}
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.rules.rule import declare
from toolspec.rules.unions import branches, is_inside
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "what this branch accepts, another one accepts as well, and `oneOf` refuses it",
    "write `anyOf`, or delete one of the two",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"oneOf"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first such branch of each union."""
    for path, _ in visit.using("oneOf"):
        union = (*path, "oneOf")
        pairs = permutations(enumerate(branches(visit, union)), 2)
        found = ((one, other) for (one, a), (other, b) in pairs if is_inside(a, b))
        for inner, outer in list(found)[:1]:
            place = visit.place(*union, outer)
            labels = [Label(place.span, "this one")] if place else []
            yield visit.finding(KIND, (*union, inner), labels=labels)
