"""A list of allowed values is very long.

Every turn carries all of it to the model, and some providers refuse long lists or cut them. A second tool
that looks a value up costs less and can say what the values mean.

Reported:

    options: {limit: 3}
    tools:
      - name: show
        inputSchema:
          type: object
          properties: {icon: {enum: [a, b, c, d]}}

Accepted:

    options: {limit: 3}
    tools:
      - name: show
        inputSchema:
          type: object
          properties: {icon: {enum: [a, b, c]}}
        outputSchema: {enum: [a, b, c, d]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{count:,} values are listed, more than {limit}",
    "take any text, and offer a tool that looks the values up",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 1,
        "default": 100,
        "description": "The most values of an `enum` that a model has to read.",
    }
}


def check(visit: SchemaVisit, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each longer list in what a model writes."""
    limit = options["limit"]
    assert isinstance(limit, int)
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        if isinstance(values, list) and len(values) > limit:
            yield visit.finding(KIND, (*path, "enum"), count=len(values), limit=limit)
