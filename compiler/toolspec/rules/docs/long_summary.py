"""A summary is too long for a list.

It is what a person sees beside the name in a list of tools, cut where the line ends.

Reported:

    tools:
      - name: search
        summary: "{130}"

Accepted:

    tools:
      - name: search
        summary: Finds notes by words of their text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare, number
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the summary of `{tool}` has {length} characters",
    "keep the first clause, and leave the rest to the description",
)
VISITS = ToolVisit
OPTIONS: dict[str, JsonObject] = {
    "limit": {"type": "integer", "minimum": 1, "default": 120, "description": "Characters."},
}


def check(visit: ToolVisit, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding above the limit, for a summary that is stated."""
    place = visit.place("summary")
    length = len(visit.tool.summary)
    if place and place.value_or_none is not None and length > number(options, "limit"):
        yield KIND.at(place.span, tool=visit.tool.name, length=length)
