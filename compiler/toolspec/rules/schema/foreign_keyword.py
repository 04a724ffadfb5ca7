"""A keyword of another schema language says what JSON Schema passes over.

`nullable: true` comes from OpenAPI 3.0. A validator ignores it and refuses the null that everybody expects to be fine;
`example` is not shown by those who look for `examples`.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          properties: {owner: {type: string, nullable: true}, name: {type: string, example: anna}}
    ---
    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            owner: {type: string, nullable: true, enum: [anna, ben]}
            size: {type: integer, nullable: true, const: 3}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            owner: {type: [string, "null"], examples: [anna]}
            nullable: {type: boolean}
            label: {type: string, nullable: false, x-example: red}
            page: {type: [integer, "null"], nullable: true}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.null import name_null
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.contradictions import types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "JSON Schema does not know `{keyword}`, and so it says nothing",
    "{suggestion}",
)
VISITS = SchemaVisit
_MEANT = {
    "nullable": "name null as a type: `type: [string, 'null']`",
    "optional": "list what is required in the object: `required: [name]`",
    "example": "write a list: `examples: [value]`",
    "enumNames": "say in the description what the values mean",
    "divisibleBy": "write `multipleOf`",
}
KEYWORDS = frozenset(_MEANT)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such keyword that would change something."""
    for keyword in sorted(_MEANT.keys() & visit.survey.uses.keys()):
        for path, node in visit.using(keyword):
            if node[keyword] is False or "null" in types_of(node):
                continue
            place = visit.place(*path) if keyword == "nullable" else None
            edit = name_null(place, keyword) if place else ()
            fix = edits.fix("name null as a type, and as a value where values are listed", edit)
            at, hint = (*path, keyword), _MEANT[keyword]
            yield visit.finding(KIND, at, fix=fix, keyword=keyword, suggestion=hint)
