"""Progress is mixed into the items of a stream.

Progress has a way of its own, which clients show to people. Among the data it reaches the model, and
whoever reads the result has to sort it out again.

Reported:

    tools:
      - name: export
        streaming: true
        outputSchema:
          type: array
          items: {type: object, properties: {percent: {type: number}, row: {type: string}}}

Accepted:

    tools:
      - name: export
        streaming: true
        outputSchema:
          type: array
          items: {type: object, properties: {row: {type: string}}}
"""

from __future__ import annotations

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
    Severity.NOTE,
    "the items of `{tool}` hold `{name}`, which looks like progress",
    "tell it with the context's `progress`, and keep the items to the data",
)
VISITS = ToolVisit
_PROGRESS = frozenset({"percent", "percentage", "percentcomplete", "progress"})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first member of a chunk that is named like progress."""
    names = members(visit.tool.chunk.value) if visit.tool.chunk else ()
    if found := next((name for name in names if name.casefold() in _PROGRESS), ""):
        yield KIND.at(visit.at("streaming"), tool=visit.tool.name, name=found)
