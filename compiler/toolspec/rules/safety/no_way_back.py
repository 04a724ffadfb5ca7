"""A destructive tool can neither be tried out nor be undone.

People allow a call more easily, and more carefully, when they can see what it would do, or take it
back. `revert` gives the one, a parameter for a dry run the other.

Reported:

    tools:
      - name: deleteNote
        mutation: true

Accepted:

    tools:
      - name: deleteNote
        mutation: true
        revert: true
      - name: purge
        mutation: true
        inputSchema:
          type: object
          properties: {dryRun: {type: boolean, description: Only say what would go.}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.effects import destroys
from toolspec.rules.members import members
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` destroys, and can neither be tried out nor undone",
    "declare `revert: true`, or take a `dryRun` parameter",
)
VISITS = ToolVisit
_TRIALS = frozenset({"dryrun", "preview", "simulate", "validateonly", "whatif"})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a tool that is known to destroy, without `revert` or a dry run."""
    tool = visit.tool
    if tool.revert or not destroys(tool):
        return
    if not any("".join(words_of(name)) in _TRIALS for name in members(tool.arguments)):
        yield KIND.at(name_span(tool), tool=tool.name)
