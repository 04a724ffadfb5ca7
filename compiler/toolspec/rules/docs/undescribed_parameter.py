"""A parameter has no description.

From a bare name a model guesses units, formats and defaults. A parameter that is a `$ref` is
described where it leads, and a fixed or listed value speaks for itself.

Reported:

    tools:
      - name: listIssues
        inputSchema:
          type: object
          properties:
            since: {type: string}
            page: {type: integer, description: The page to begin with, from 1.}

Accepted:

    tools:
      - name: listIssues
        inputSchema:
          type: object
          properties:
            since: {type: string, description: Only issues changed after this day.}
            state: {enum: [open, closed]}
            page: {$ref: "#/$defs/Page"}
          $defs: {Page: {type: integer}}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import together
from toolspec.rules.members import members
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{parameters} of `{tool}` {verb} no description",
    "say in a sentence what it means, in which unit or format, and what happens without it",
)
VISITS = ToolVisit
_SPEAKING = ("description", "title", "$ref", "enum", "const")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a tool."""
    bare = list(_bare(visit.tool.input.value))
    if bare:
        yield together(bare, partial(_tell, visit), "nor this")


def _tell(visit: ToolVisit, bare: Sequence[str]) -> Diagnostic:
    place = visit.tool.input.place
    named = ", ".join(f"`{name}`" for name in bare)
    is_one = len(bare) == 1
    return KIND.at(
        place.at("properties", bare[0]).key_span if place else None,
        parameters=f"parameter{'' if is_one else 's'} {named}",
        tool=visit.tool.name,
        verb="has" if is_one else "have",
    )


def _bare(schema: JsonValue) -> Iterator[str]:
    for name, value in members(schema).items():
        if isinstance(value, dict) and not any(value.get(key) for key in _SPEAKING):
            yield name
