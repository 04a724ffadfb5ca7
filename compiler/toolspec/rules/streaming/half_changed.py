"""A tool changes something while it streams, and cannot be undone.

A stream ends when its reader goes away, in the middle as well. What has been changed by then stays
changed, and nobody knows how far it went.

Reported:

    tools:
      - name: importNotes
        streaming: true
        mutation: true

Accepted:

    tools:
      - name: importNotes
        streaming: true
        mutation: true
        revert: true
      - name: syncNotes
        streaming: true
        mutation: true
        annotations: {idempotentHint: true}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.effects import is_repeatable
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` changes something while it streams, and a broken stream leaves it half done",
    "declare `revert: true`, or make it idempotent so that it can be called again",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a mutating stream that can neither be undone nor repeated."""
    tool = visit.tool
    is_safe = tool.revert or is_repeatable(tool)
    if tool.streaming and tool.mutation and not is_safe:
        yield KIND.at(visit.at("streaming"), tool=tool.name)
