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
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import DESTROYING, words_of

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
_REQUIRING = frozenset({"allOf", "anyOf", "minProperties", "oneOf", "required", "$ref"})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for an input of optional parameters alone, where the tool is known to destroy."""
    tool, schema = visit.tool, visit.tool.input.value
    hints = tool.annotations
    is_known = "destructiveHint" in hints.stated or words_of(tool.name)[0] in DESTROYING
    if not (tool.mutation and hints.destructive and is_known and isinstance(schema, dict)):
        return
    if schema.get("properties") and not _REQUIRING.intersection(
        key for key in schema if schema[key]
    ):
        yield KIND.at(visit.at("inputSchema"), tool=tool.name)
