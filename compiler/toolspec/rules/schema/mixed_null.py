"""One schema says in two ways that a value may be null.

`type: [string, "null"]` and `anyOf: [{type: string}, {type: "null"}]` mean the same. Where both are used, a
reader looks for the difference.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          properties: {a: {type: [string, "null"]}, b: {anyOf: [{type: string}, {type: "null"}]}}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            state: {type: [string, "null"]}
            owner: {anyOf: [{type: string, maxLength: 9}, {type: object}, {type: "null"}]}
            place: {anyOf: [{type: object}, {type: "null"}]}
            page: {anyOf: [{$ref: "#/$defs/Page"}, {type: "null"}]}
          $defs: {Page: {type: integer}}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import together
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "that this may be null is said with `anyOf`, elsewhere in the schema with a list of types",
    "keep to one; the list is shorter: `type: [{type}, 'null']`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"anyOf"})
_PAIR = 2
_SCALARS = frozenset({"string", "number", "integer", "boolean"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all scalars with the long form, where the short one is used as well."""
    if "anyOf" not in visit.survey.uses:
        return
    found = [(path, kind) for path, node in visit.using("anyOf") if (kind := _or_null(node))]
    if found and any(isinstance(node["type"], list) for _, node in visit.typed("null")):
        yield together(found, partial(_tell, visit))


def _tell(visit: SchemaVisit, found: Sequence[tuple[Path, str]]) -> Diagnostic:
    return visit.finding(KIND, (*found[0][0], "anyOf"), type=found[0][1])


def _or_null(node: JsonObject) -> str:
    """Return the scalar type of `anyOf: [a scalar, null]`; empty for anything else."""
    listed = node["anyOf"]
    stated = (
        [each.get("type") for each in listed if isinstance(each, dict)]
        if isinstance(listed, list)
        else []
    )
    kinds = [each for each in stated if isinstance(each, str) and each != "null"]
    is_pair = len(stated) == _PAIR and len(kinds) == 1 and "null" in stated
    return kinds[0] if is_pair and kinds[0] in _SCALARS else ""
