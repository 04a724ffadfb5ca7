"""A limit stands in the description and not in the schema.

A schema's limit is held by providers and checked before the handler runs. A text is advice: what a
model sends against it goes through.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            limit: {type: integer, description: "How many, between 1 and 100."}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            limit: {type: integer, minimum: 1, maximum: 100, description: "How many (1-100)."}
            year: {type: integer, description: "The year, for instance 2024."}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the text limits `{name}` to {low} to {high}, and the schema does not",
    "add `minimum: {low}` and `maximum: {high}`",
)
VISITS = SchemaVisit
_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const"}
_RANGE = re.compile(
    r"(?i)\bbetween (\d{1,6}) and (\d{1,6})\b|\((?:range:? )?(\d{1,6}) ?(?:-|–|\bto\b) ?(\d{1,6})(?=[,;)])"
)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each number that a model writes whose range is told in words alone."""
    if not visit.is_input:
        return
    for each in visit.properties:
        if each.schema.get("type") not in ("integer", "number") or _BOUNDS & each.schema.keys():
            continue
        if found := _RANGE.search(str(each.schema.get("description") or "")):
            low, high = found[1] or found[3], found[2] or found[4]
            yield visit.finding(KIND, each.path, name=each.name, low=low, high=high)
