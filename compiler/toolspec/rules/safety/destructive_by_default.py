"""A tool that changes something does not say whether it destroys.

MCP takes it for destructive then, and clients ask before each call. For a tool that adds a comment
that is one question too many, and people learn to say yes without reading.

Reported:

    tools:
      - name: addComment
        mutation: true

Accepted:

    tools:
      - name: addComment
        mutation: true
        annotations: {destructiveHint: false}
      - name: deleteComment
        mutation: true
      - name: wipe
        mutation: true
        annotations: {destructiveHint: true}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import DESTROYING, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` counts as destructive, since it does not say otherwise",
    "say `annotations: {{destructiveHint: false}}` if it only adds or changes back and forth",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where the hint is derived, and the name does not say that it destroys."""
    tool = visit.tool
    is_stated = "destructiveHint" in tool.annotations.stated
    if tool.mutation and not is_stated and words_of(tool.name)[0] not in DESTROYING:
        yield KIND.at(visit.at("mutation"), tool=tool.name)
