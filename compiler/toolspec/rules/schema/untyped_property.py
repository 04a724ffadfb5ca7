"""A property has no type.

Nothing says whether a text, a number or a list belongs there. A model sends what looks right to it,
generated code has `object`, and a mistake is found by the handler and not before it. Where anything
at all is meant, the description can say so, or the schema be `true`.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {query: {description: What to look for.}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            query: {type: string}
            state: {enum: [open, closed]}
            page: {$ref: "#/$defs/Page"}
            payload: {description: Any JSON value.}
            raw: true
          $defs: {Page: {type: integer}}
          allOf: [{if: {properties: {state: {const: open}}}, then: {properties: {query: {minLength: 2}}}}]
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import names, together
from toolspec.rules.rule import declare
from toolspec.rules.subjects import implied_type
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.keywords import IN_PLACE
from toolspec.schema.walk import applied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "nothing says of which type {names} {verb}",
    "state the `type`, or write in the description that any value will do",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = frozenset({"type", "enum", "const", "$ref", "properties", "items"}) | IN_PLACE
# Below these a property is described a second time, for a case of its own.
_REFINING = IN_PLACE - {"anyOf", "oneOf"}
_ANYTHING = re.compile(r"\b(?:any|anything|arbitrary|JSON)\b", re.IGNORECASE)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such properties of a schema."""
    bare = [
        each
        for each in visit.properties
        if _SAYING.isdisjoint(each.schema) and not implied_type(each.schema) and _is_bare(each)
    ]
    if bare:
        yield together(bare, partial(_tell, visit))


def _tell(visit: SchemaVisit, bare: Sequence[Property]) -> Diagnostic:
    verb = "is" if len(bare) == 1 else "are"
    return visit.finding(KIND, bare[0].path, names=names(bare), verb=verb)


def _is_bare(found: Property) -> bool:
    text = found.schema.get("description")
    said = isinstance(text, str) and _ANYTHING.search(text)
    return not said and _REFINING.isdisjoint(applied(found.path))
