"""The parameters of one tool are named in more than one style.

A model that has written `pageSize` writes `sortOrder` next. Where that one is `sort_order` the call
fails, and is made again.

Reported:

    tools:
      - name: listIssues
        inputSchema:
          type: object
          properties:
            pageSize: {type: integer, description: How many at most.}
            sort_order: {type: string, description: By which member.}

Accepted:

    tools:
      - name: listIssues
        inputSchema:
          type: object
          properties:
            page_size: {type: integer, description: How many at most.}
            sort_order: {type: string, description: By which member.}
            page: {type: integer, description: Which page.}
"""

from __future__ import annotations

import re
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
    Severity.WARNING,
    "parameters of `{tool}` are named in different styles: `{one}` and `{other}`",
    "name all of them in one style",
)
VISITS = ToolVisit
_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
_CAMEL = re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding at the first parameter that is not in the style of the first."""
    first = ""
    for name in members(visit.tool.input.value):
        is_snake = bool(_SNAKE.fullmatch(name))
        if is_snake == bool(_CAMEL.fullmatch(name)):
            continue
        first = first or name
        if is_snake != bool(_SNAKE.fullmatch(first)):
            place = visit.tool.input.place
            span = place.at("properties", name).key_span if place else None
            yield KIND.at(span, tool=visit.tool.name, one=first, other=name)
            return
