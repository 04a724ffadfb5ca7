"""A tool's description is too short to choose by.

A few words say what the name says. What a model needs besides is what comes back, and when this tool
is the right one and when another is.

Reported:

    tools:
      - name: search
        description: Search notes.

Accepted:

    tools:
      - name: search
        description: Find notes by words of their text, newest first.
    ---
    options: {limit: 5}
    tools:
      - name: search
        description: Search notes.
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
    "the description of `{tool}` has {length} characters",
    "say what comes back, and when to use it rather than another tool",
)
VISITS = ToolVisit
OPTIONS: dict[str, JsonObject] = {
    "limit": {"type": "integer", "minimum": 1, "default": 20, "description": "Characters."},
}


def check(visit: ToolVisit, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding below the limit."""
    length = len(visit.tool.description.strip())
    if length < number(options, "limit"):
        yield KIND.at(visit.at("description"), tool=visit.tool.name, length=length)
