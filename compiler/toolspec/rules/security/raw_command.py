"""A tool runs whatever text it is given.

A model writes what it was told to, also by a web page that it has read. A free text that becomes a
command, a query or code does all that the service may, not what the tool is for.

Reported:

    tools:
      - name: run
        mutation: true
        inputSchema:
          type: object
          properties: {command: {type: string, description: What to run.}}

Accepted:

    tools:
      - name: run
        mutation: true
        inputSchema:
          type: object
          properties:
            command: {enum: [start, stop], description: What to do.}
      - name: explain
        inputSchema:
          type: object
          properties: {sql: {type: string, description: The statement.}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` runs the content of `{name}`",
    "offer what it is for: a list of choices, a pattern, parameters of their own",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_RUN = frozenset({"bash", "cmd", "command", "eval", "javascript", "script", "shell", "sql"})
_BOUNDS = {"const", "enum", "pattern"}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each free text of a mutating tool that is named as something to run."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not tool.mutation:
        return
    for each in visit.properties:
        is_free = each.schema.get("type") == "string" and not _BOUNDS & each.schema.keys()
        is_run = each.name.casefold() in _RUN or (each.name == "code" and _names_code(tool))
        if is_free and is_run:
            yield visit.finding(KIND, each.path, tool=tool.name, name=each.name)


def _names_code(tool: Tool) -> bool:
    """Whether the code that a tool takes is a program: there are codes of countries and discounts."""
    return not {"code", "eval", "execute", "run"}.isdisjoint(words_of(tool.name))
