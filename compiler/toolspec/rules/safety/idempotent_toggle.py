"""A tool is named as one that does something else each time, and is said to be idempotent.

Clients repeat an idempotent call when an answer is lost. A toggle that is repeated is back where it
was.

Reported:

    tools:
      - name: toggleLamp
        mutation: true
        annotations: {idempotentHint: true}

Accepted:

    tools:
      - name: setLamp
        mutation: true
        annotations: {idempotentHint: true}
      - name: toggleLamp
        mutation: true
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` is said to be idempotent, and its name says that it is not",
    "take the hint out, or take the wanted state as a parameter",
)
VISITS = ToolVisit
_EACH_TIME = frozenset({"append", "decrement", "increment", "next", "toggle"})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a verb of which no second call does the same."""
    tool = visit.tool
    is_said = tool.mutation and tool.annotations.idempotent
    if is_said and words_of(tool.name)[0] in _EACH_TIME:
        yield KIND.at(visit.at("annotations", "idempotentHint"), tool=tool.name)
