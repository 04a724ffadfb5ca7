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

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.rules.members import members
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

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
LABELS = 5
_SPEAKING = ("description", "title", "$ref", "enum", "const")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a tool."""
    schema = visit.tool.input
    bare = list(_bare(schema.value))
    if not bare:
        return
    place = schema.place
    spans = [place.at("properties", name).key_span for name in bare[:LABELS]] if place else [None]
    named = ", ".join(f"`{name}`" for name in bare)
    is_one = len(bare) == 1
    yield KIND.at(
        spans[0],
        labels=(Label(span, "nor this") for span in spans[1:] if span),
        parameters=f"parameter{'' if is_one else 's'} {named}",
        tool=visit.tool.name,
        verb="has" if is_one else "have",
    )


def _bare(schema: JsonValue) -> Iterator[str]:
    for name, value in members(schema).items():
        if isinstance(value, dict) and not any(value.get(key) for key in _SPEAKING):
            yield name
