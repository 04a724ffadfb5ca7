"""A tool's name says nothing of what the tool does.

A model chooses among the tools of many services by their names before it reads anything else. From
`run` or `process_data` it cannot tell what is run or processed; the service in front of it does not
help, since everything in the service is about that.

Reported:

    tools:
      - name: execute
    ---
    tools:
      - name: processData

Accepted:

    tools:
      - name: runQuery
      - name: search
      - name: status
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
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
    "`{name}` does not say what the tool does",
    "name what it acts on, for instance `{name}Report`, and keep the old name as an alias",
)
VISITS = ToolVisit
_EMPTY = frozenset(
    {
        "action", "call", "command", "data", "do", "execute", "function", "handle", "handler",
        "helper", "invoke", "item", "object", "operation", "perform", "process", "request", "run",
        "task", "thing", "tool", "util", "utils", "value",
    }
)  # fmt: skip


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a name that has no word with a meaning of its own."""
    if _EMPTY.issuperset(words_of(visit.tool.name)):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
