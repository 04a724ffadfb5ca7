"""A parameter that is meant as a confirmation is given by default.

A `confirm` that is true when nobody says anything confirms nothing, and a `force` that is true when
nobody asks for it takes every safeguard away. A `force` counts where its description names a safeguard.

Reported:

    tools:
      - name: deleteNote
        mutation: true
        inputSchema:
          type: object
          required: [id]
          properties:
            id: {type: string, description: Which.}
            confirm: {type: boolean, default: true, description: Really.}
            force: {type: boolean, default: true, description: Skip the check for locked notes.}

Accepted:

    tools:
      - name: deleteNote
        mutation: true
        inputSchema:
          type: object
          required: [id, confirm]
          properties:
            id: {type: string, description: Which.}
            confirm: {type: boolean, description: Really.}
            force: {type: boolean, default: false, description: Also if it is locked.}
            forceRefresh: {type: boolean, default: true, description: Read the list again first.}
            forceUpdate: {type: boolean, default: true, description: Replace a note that is there.}
            approvedOnly: {type: boolean, default: true, description: Not what waits for approval.}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.ERROR,
    "`{name}` of `{tool}` is given by default",
    "take the default out, or make it `false`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_ACTS = {("approve",), ("confirm",)}
_SAFEGUARD = re.compile(
    r"\b(approv|bypass|check|confirm|consent|guard|ignor|lock|permission|protect|prompt|safe|skip|warn)",
    re.IGNORECASE,
)
_STATES = {("approved",), ("confirmed",), ("yes",), ("is", "approved"), ("is", "confirmed")}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each flag of consent with `default: true`, where the tool changes something."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not tool.mutation:
        return
    for each in visit.properties:
        words = words_of(each.name) if each.schema.get("default") is True else ()
        is_forced = words[:1] == ("force",) and _SAFEGUARD.search(
            str(each.schema.get("description"))
        )
        if words[:1] in _ACTS or words in _STATES or is_forced:
            yield visit.finding(KIND, (*each.path, "default"), name=each.name, tool=tool.name)
