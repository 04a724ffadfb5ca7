"""A tool answers with an object of which nothing is said.

That it is an object helps nobody: a model cannot tell what it may ask for next, generated code has `dict[str, object]`, and a
change of the members goes unnoticed.

Reported:

    tools:
      - name: show
        outputSchema: {type: object, additionalProperties: true}
    ---
    tools:
      - name: list
        outputSchema: {type: array, items: {type: object}}

Accepted:

    tools:
      - name: show
        outputSchema: {type: object, properties: {id: {type: string}}}
      - name: count
        outputSchema: {type: object, additionalProperties: {type: integer}}
      - name: lines
        outputSchema: {type: array, items: {type: string}}
      - name: raw
        outputSchema: true
      - name: part
        outputSchema: {type: object, properties: {extra: {type: object}}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.schema.keywords import IN_PLACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "nothing is said of the members that `{tool}` answers with",
    "describe the `properties` that a caller can count on",
)
VISITS = ToolVisit
_SAYING = IN_PLACE | {"properties", "patternProperties", "propertyNames", "$ref", "const", "enum"}


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a result that is such an object, or a list of them."""
    schema = visit.tool.output.value
    if isinstance(schema, dict) and schema.get("type") == "array":
        schema = schema.get("items")
    if _is_opaque(schema):
        yield KIND.at(visit.at("outputSchema"), tool=visit.tool.name)


def _is_opaque(schema: JsonValue) -> bool:
    return (
        isinstance(schema, dict)
        and schema.get("type") == "object"
        and _SAYING.isdisjoint(schema)
        and schema.get("additionalProperties", True) in (True, {})
    )
