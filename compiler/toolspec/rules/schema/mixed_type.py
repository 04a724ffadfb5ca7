"""A value may be of several types.

A model has to choose and a handler has to tell them apart. Generated types of other languages have no word
for it, and some providers refuse a list of types. One type, or `anyOf` with a description of each
case, says more. Null does not count.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          properties: {id: {type: [string, integer]}}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            id: {type: [string, "null"]}
            level: {type: [number, integer]}
            ref: {anyOf: [{type: string, description: Its name.}, {type: integer, description: Its number.}]}
            raw: {type: [string, number, integer, boolean, object, array, "null"]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.findings import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the value may be {types}",
    "settle on one type, or describe each case in a branch of `anyOf`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
# More than these, and the list says that anything is welcome.
_MOST = 3


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each list of two or three types besides null."""
    if sum(map(len, visit.kinds.values())) == len(visit.survey.uses.get("type", ())):
        return  # each states one type
    for path, node in visit.using("type"):
        stated = node["type"]
        if not isinstance(stated, list):
            continue
        types = [each for each in map(str, stated) if each != "null"]
        if "number" in types and "integer" in types:
            types.remove("integer")
        if 1 < len(types) <= _MOST:
            yield visit.finding(KIND, (*path, "type"), types=listed(types))
