"""A destructive tool can be called without saying what to destroy.

Where every parameter may be left out, `{}` is a legal call. A model that forgets the filter then
deletes everything, and no check stands in its way.

Reported:

    tools:
      - name: deleteNotes
        mutation: true
        inputSchema:
          type: object
          properties: {tag: {type: string, description: Of which notes.}}

Accepted:

    tools:
      - name: deleteNotes
        mutation: true
        inputSchema:
          type: object
          required: [tag]
          properties: {tag: {type: string, description: Of which notes.}}
      - name: deleteNote
        mutation: true
        inputSchema:
          type: object
          minProperties: 1
          properties: {id: {type: string, description: Which.}}
      - name: emptyTrash
        mutation: true
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.effects import destroys
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` destroys, and every parameter may be left out",
    "require what selects, or say `minProperties: 1`",
)
VISITS = ToolVisit
_REQUIRING = ("allOf", "anyOf", "minProperties", "oneOf", "required", "$ref")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for an input of optional parameters alone, where the tool is known to destroy."""
    tool, schema = visit.tool, visit.tool.input.value
    if not (isinstance(schema, dict) and schema.get("properties") and destroys(tool)):
        return
    if not any(schema.get(keyword) for keyword in _REQUIRING):
        yield KIND.at(visit.at("inputSchema"), tool=tool.name)
