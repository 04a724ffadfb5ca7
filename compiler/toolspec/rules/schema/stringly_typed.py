"""A parameter hides a list or an object in a text.

The description asks for JSON or for items with commas between them. A model then has to write quotes inside quotes and
gets it wrong, no schema checks what is inside, and an item with a comma cannot be said.

Reported:

    tools:
      - name: tag
        inputSchema:
          type: object
          properties: {labels: {type: string, description: Comma-separated list of labels.}}
    ---
    tools:
      - name: create
        inputSchema:
          type: object
          properties: {fields: {type: string, description: A JSON string of further fields.}}

Accepted:

    tools:
      - name: tag
        inputSchema:
          type: object
          properties:
            labels: {type: array, items: {type: string}, description: Not a comma-separated text.}
            csv: {type: string, description: Comma-separated lines., contentMediaType: text/csv}
            path: {type: string, description: Path of the JSON file.}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import names, together
from toolspec.rules.prose import hides_values, text_of
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{names} {verb} a list or an object in a text",
    "take it as what it is: `type: array` with `items`, or `type: object` with `properties`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = frozenset({"contentMediaType", "contentEncoding", "contentSchema", "enum", "const"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema."""
    if not visit.is_input:
        return
    found = [
        each
        for each in visit.properties
        if each.schema.get("type") == "string"
        and _SAYING.isdisjoint(each.schema)
        and hides_values(text_of(each.schema))
    ]
    if found:
        yield together(found, partial(_tell, visit))


def _tell(visit: SchemaVisit, found: Sequence[Property]) -> Diagnostic:
    verb = "hides" if len(found) == 1 else "hide"
    return visit.finding(KIND, found[0].path, names=names(found), verb=verb)
