"""A parameter is called `id` and does not say of what.

In a conversation with many ids a model has to guess which one is meant. `issueId`, or a description
that says so, is not guessed.

Reported:

    tools:
      - name: moveIssue
        inputSchema: {type: object, properties: {id: {type: string}}}

Accepted:

    tools:
      - name: moveIssue
        inputSchema: {type: object, properties: {issueId: {type: string}}}
      - name: getIssue
        inputSchema:
          type: object
          properties: {id: {type: string, description: The issue's number.}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.members import members
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` takes an `id` and does not say of what",
    "name it, for instance `issueId`, or describe it",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a parameter `id` without a description."""
    own = members(visit.tool.input.value).get("id")
    if isinstance(own, dict) and not own.get("description") and "$ref" not in own:
        place = visit.tool.input.place
        yield KIND.at(
            place.at("properties", "id").key_span if place else None, tool=visit.tool.name
        )
