"""A required parameter has only one value to choose.

A model must write what could not be anything else, and the call fails when it leaves it out. The handler knows the value
without being told. In a branch of a union such a member tells the kinds apart, and is right.

Reported:

    tools:
      - name: create
        inputSchema:
          type: object
          properties: {type: {type: string, enum: [custom]}, name: {type: string}}
          required: [type, name]

Accepted:

    tools:
      - name: create
        inputSchema:
          type: object
          properties:
            version: {const: 2}
            shape:
              oneOf:
                - {type: object, properties: {kind: {const: dot}}, required: [kind]}
                - {type: object, properties: {kind: {const: box}}, required: [kind]}
            confirm: {type: boolean, const: true}
          required: [confirm]
        outputSchema: {type: object, properties: {ok: {const: 1}}, required: [ok]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit
from toolspec.schema.findings import shown
from toolspec.schema.keywords import CONTAINERS, IN_PLACE
from toolspec.schema.walk import applied

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject, JsonValue

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{name}` is required and can only be {value}",
    "leave it out, and let the handler fill it in",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum", "const"})
# A definition may be a branch of a union somewhere.
_BRANCHING = IN_PLACE | CONTAINERS


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such parameter outside of unions; `true` is a consent."""
    uses = visit.survey.uses
    if visit.role is not Role.INPUT or not ("enum" in uses or "const" in uses):
        return
    for each in visit.properties:
        only = _only(each.schema) if each.is_required else []
        if len(only) == 1 and only[0] is not True and _BRANCHING.isdisjoint(applied(each.path)):
            yield visit.finding(KIND, each.path, name=each.name, value=shown(only[0]))


def _only(schema: JsonObject) -> list[JsonValue]:
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return listed if isinstance(listed, list) else []
