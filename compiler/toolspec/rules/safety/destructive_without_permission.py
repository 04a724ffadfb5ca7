"""A tool says that it destroys, and asks for no permission.

`permissions` name the resources that are asked for before each run, so that somebody can refuse them
one by one. Without any, the only question left is whether the tool may run at all. That is enough for a
tool that can be undone. A tool that is destructive only because nothing else was said is left alone.

Reported:

    tools:
      - name: closeIssue
        mutation: true
        annotations: {destructiveHint: true}
        permissions: []

Accepted:

    tools:
      - name: closeIssue
        mutation: true
        annotations: {destructiveHint: true}
        permissions: [{web: api.github.com, op: PATCH}]
    ---
    tools:
      - name: replaceText
        mutation: true
        annotations: {destructiveHint: true}
        revert: true
    ---
    tools:
      - name: createIssue
        mutation: true
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` is destructive and asks for no permission",
    "name what it destroys in `permissions`: a file, a host, or another tool",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a stated `destructiveHint` without permissions or a way back."""
    tool = visit.tool
    hints = tool.annotations
    is_stated = hints.destructive and "destructiveHint" in hints.stated
    if tool.mutation and is_stated and not (tool.permissions or tool.revert):
        yield KIND.at(visit.at("annotations", "destructiveHint"), tool=tool.name)
