"""A tool's name says that it destroys, and its flags say that it does not.

Clients ask before a destructive call by its flags, not by its name. `deleteIssue` with
`destructiveHint: false`, or with `mutation: false`, runs unasked. Where only the name is wrong,
another verb says what happens: `archive`, `detach`, `clear`.

Reported:

    tools:
      - name: deleteIssue
        mutation: true
        annotations: {destructiveHint: false}
    ---
    tools:
      - name: purge_cache
        mutation: false

Accepted:

    tools:
      - name: deleteIssue
        mutation: true
    ---
    tools:
      - name: archiveIssue
        mutation: true
        annotations: {destructiveHint: false}
      - name: deletedIssues
        mutation: false
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.naming.identifiers import snake_case
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` is named as if it destroyed, and {stated} says that it does not",
    "{remedy} if the tool destroys, or choose a verb that says what it does",
)
VISITS = ToolVisit
VERBS = frozenset({"delete", "destroy", "drop", "erase", "purge", "remove", "truncate", "wipe"})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where the first word of the name is one of the verbs."""
    tool = visit.tool
    if tool.annotations.destructive or snake_case(tool.name).split("_")[0] not in VERBS:
        return
    stated, remedy = "`mutation: false`", "write `mutation: true`"
    if tool.mutation:
        stated, remedy = "`destructiveHint: false`", "delete the hint"
    yield KIND.at(name_span(tool), tool=tool.name, stated=stated, remedy=remedy)
