"""A parameter limits the result, and nothing limits the parameter.

A model that wants all asks for 1,000,000. The answer floods its context, or the service behind refuses it. With
`maximum` in the schema the call is refused before it is made, and the model reads what it may ask for.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {limit: {type: integer, minimum: 1}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            limit: {type: integer, minimum: 1, maximum: 100}
            page_size: {enum: [10, 50]}
            max_items: {type: integer, description: At most 50; schema/bound-in-prose is about this.}
            page: {type: integer}
            size: {type: string}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.paging import SIZES
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
    "`{name}` limits the result, and nothing limits `{name}`",
    "state the most that one call gives: `maximum: 100`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_LIMITING = frozenset({"maximum", "exclusiveMaximum", "enum", "const"})
_NUMBERS = ("integer", "number")


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such parameter."""
    for each in visit.properties if visit.is_input else ():
        if (
            each.name in SIZES
            and each.schema.get("type") in _NUMBERS
            and _LIMITING.isdisjoint(each.schema)
            and stated_bounds(each.schema)[1] is None
        ):
            yield visit.finding(KIND, each.path, name=each.name)
