"""A parameter may be left out and may be null, and nothing says what the difference is.

A model sends null for one user and leaves it out for the next. A handler that takes null for "delete it"
then deletes by chance. Say what null means, give a default, or allow only one of the two.

Reported:

    tools:
      - name: update
        inputSchema:
          type: object
          properties: {owner: {type: [string, "null"], description: The owner's name.}}

Accepted:

    tools:
      - name: update
        inputSchema:
          type: object
          properties:
            owner: {type: [string, "null"], description: The new owner; null for nobody.}
            label: {anyOf: [{type: string}, {type: "null"}], default: null}
            state: {type: [string, "null"]}
            kind: {type: [string, "null"], enum: [a, b]}
            mode: {type: string, anyOf: [{const: c}, {type: "null"}]}
          required: [state]
        outputSchema: {type: object, properties: {owner: {type: [string, "null"]}}}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import names, together
from toolspec.rules.null import names_null
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{names} may be left out and may be null, and nothing tells the difference",
    "say what null means, state a default, or delete `'null'`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema."""
    if not visit.is_input:
        return
    found = [
        each
        for each in visit.properties
        if not each.is_required and "default" not in each.schema and _is_unclear(each.schema)
    ]
    if found:
        yield together(found, partial(_tell, visit))


def _tell(visit: SchemaVisit, found: Sequence[Property]) -> Diagnostic:
    return visit.finding(KIND, found[0].path, names=names(found))


def _is_unclear(schema: JsonObject) -> bool:
    return names_null(schema) and "null" not in str(schema.get("description", "")).casefold()
