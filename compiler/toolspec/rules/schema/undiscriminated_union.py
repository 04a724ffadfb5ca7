"""Nothing tells the kinds of object in a union apart.

Where two branches allow the same object, a reader cannot know which one it is: generated code takes the
first that fits, and a model mixes the members of both. A constant member, as `kind`, settles it.

Reported:

    tools:
      - name: draw
        inputSchema:
          type: object
          properties:
            shape:
              anyOf:
                - {type: object, properties: {x: {type: number}, r: {type: number}}}
                - {type: object, properties: {x: {type: number}, w: {type: number}}}

Accepted:

    tools:
      - name: draw
        inputSchema:
          type: object
          properties:
            shape:
              anyOf:
                - {type: object, properties: {kind: {const: dot}}, required: [kind]}
                - {type: object, properties: {kind: {const: box}, w: {type: number}}, required: [kind]}
            place:
              anyOf:
                - {type: object, properties: {city: {type: string}}, required: [city]}
                - {type: object, properties: {zip: {type: string}}, required: [zip]}
                - {type: "null"}
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.unions import are_disjoint, branches, is_object, lacks
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{count} kinds of object meet here, and nothing tells them apart",
    "require a member in each that has another constant value: `kind: {{const: circle}}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"anyOf", "oneOf"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each union with two objects that could be one."""
    for keyword in ("anyOf", "oneOf"):
        for path, node in visit.using(keyword):
            at = (*path, keyword)
            found = [each for each in branches(visit, at) if _is_described(each)]
            pairs = combinations(found, 2)
            if "properties" not in node and any(
                not are_disjoint(one, other) and not (lacks(one, other) or lacks(other, one))
                for one, other in pairs
            ):
                yield visit.finding(KIND, at, count=len(found))


def _is_described(branch: JsonObject) -> bool:
    return is_object(branch) and bool(branch.get("properties"))
