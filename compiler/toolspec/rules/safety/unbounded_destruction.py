"""A destructive tool takes a list of any length.

One call with a thousand ids is one question to a person, who sees the first few. A limit keeps the
damage of one wrong call, or one careless yes, small.

Reported:

    tools:
      - name: deleteNotes
        mutation: true
        inputSchema:
          type: object
          required: [ids]
          properties:
            ids: {type: array, items: {type: string}, description: Which.}

Accepted:

    tools:
      - name: deleteNotes
        mutation: true
        inputSchema:
          type: object
          required: [ids]
          properties:
            ids: {type: array, maxItems: 50, items: {type: string}, description: Which.}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.effects import destroys
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` destroys as much as `{name}` lists, without a limit",
    "add `maxItems`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
TOP = 2


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each top-level list without a limit, where the tool is known to destroy."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not destroys(tool):
        return
    for each in visit.properties:
        is_list = each.schema.get("type") == "array" and "maxItems" not in each.schema
        if is_list and len(each.path) == TOP:
            yield visit.finding(KIND, each.path, tool=tool.name, name=each.name)
