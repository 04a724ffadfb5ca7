"""A tool's name says that it is a tool.

Everything in a list of tools is one. The word costs tokens in every request and makes names longer
than clients show.

Reported:

    tools:
      - name: searchTool
    ---
    tools:
      - name: list_issues_tool

Accepted:

    tools:
      - name: listTools
      - name: createTool
      - name: search
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import CHANGING, CREATING, DESTROYING, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{name}` says that it is a tool, which all of them are",
    "leave the word out, and keep the old name as an alias",
)
VISITS = ToolVisit
_WITH_TOOLS = CREATING | CHANGING | DESTROYING | {"call", "describe", "get", "run", "use"}


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a name that ends with `tool`, unless its verb is for tools."""
    first, *rest = words_of(visit.tool.name)
    is_object = first in _WITH_TOOLS and len(rest) == 1
    if rest[-1:] == ["tool"] and not is_object:
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
