"""A tool has very many parameters.

Each one is read by the model at every turn, whether or not it is needed, and from about a dozen on models
begin to leave out some and to mix up others. Often two tools hide in one.

Reported:

    options: {limit: 2}
    tools:
      - name: search
        inputSchema:
          type: object
          properties: {a: {type: string}, b: {type: string}, c: {type: string}}

Accepted:

    options: {limit: 2}
    tools:
      - name: search
        inputSchema:
          type: object
          properties: {a: {type: string}, b: {type: string}}
    ---
    tools:
      - name: search
        inputSchema: true
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` has {count} parameters, more than {limit}",
    "split the tool by what it is used for, or leave out what hardly anybody sets",
)
VISITS = ToolVisit
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 1,
        "default": 12,
        "description": "The most parameters of a tool.",
    }
}


def check(visit: ToolVisit, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for a tool with more parameters at the top."""
    parameters, limit = visit.tool.arguments.get("properties"), options["limit"]
    assert isinstance(limit, int)
    if isinstance(parameters, dict) and len(parameters) > limit:
        span = visit.at("inputSchema", "properties")
        yield KIND.at(span, tool=visit.tool.name, count=len(parameters), limit=limit)
