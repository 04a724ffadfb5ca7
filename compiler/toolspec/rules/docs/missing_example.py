"""A tool with a nested input has no example.

One worked call shows more of a nested object than its schema does, to models and to people. Examples
are checked against the schemas, feed the docs and answer in the mock.

Reported:

    tools:
      - name: query
        inputSchema:
          type: object
          properties:
            filter: {type: object, properties: {field: {type: string}}, description: Which.}

Accepted:

    tools:
      - name: query
        inputSchema:
          type: object
          properties:
            filter: {type: object, properties: {field: {type: string}}, description: Which.}
        examples: [{title: Open ones, input: {filter: {field: state}}, output: none}]
      - name: list
        inputSchema: {type: object, properties: {state: {type: string, description: Which.}}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` takes nested values and shows no example",
    "add a worked call to `examples`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for an input with an object inside of it, and no example anywhere."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or tool.examples:
        return
    uses = visit.survey.uses
    if len(uses.get("properties", ())) > 1 and not uses.get("examples"):
        yield visit.finding(KIND, (), tool=tool.name)
