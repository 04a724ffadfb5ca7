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
            csv: {type: string, description: The comma-separated text to import., contentMediaType: text/csv}
            path: {type: string, description: Path of the JSON file.}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.several import together
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{names} {verb} a list or an object in a text",
    "take it as what it is: `type: array` with `items`, or `type: object` with `properties`",
)
VISITS = SchemaVisit
_HIDING = re.compile(
    r"\b(?:comma|semicolon|pipe)[- ](?:separated|delimited)|separated (?:by|with) commas?\b"
    r"|\bJSON[- ](?:encoded|string|object string|array string|stringified)|\bstringified\b"
    r"|\bserialized (?:as )?JSON",
    re.IGNORECASE,
)
_WORDS = ("eparated", "elimited", "JSON", "tringified")
_SAYING = frozenset({"contentMediaType", "contentEncoding", "contentSchema", "enum", "const"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema."""
    if not visit.is_input:
        return
    found = [each for each in visit.properties if _hides(each.schema)]
    if found:
        names = listed(dict.fromkeys(each.name for each in found))
        verb = "hides" if len(found) == 1 else "hide"
        yield together(visit, KIND, [each.path for each in found], names=names, verb=verb)


def _hides(schema: JsonObject) -> bool:
    text = schema.get("description")
    if schema.get("type") != "string" or not isinstance(text, str):
        return False
    is_hint = any(word in text for word in _WORDS) and _SAYING.isdisjoint(schema)
    return is_hint and _HIDING.search(text) is not None
