"""A tool that changes something does not say what happens when a call is made twice.

Connections break. A client that knows a tool to be idempotent calls it again; one that does not has to
give up, or asks the model, which tries again.

Reported:

    tools:
      - name: setState
        mutation: true

Accepted:

    tools:
      - name: setState
        mutation: true
        annotations: {idempotentHint: true}
      - name: addComment
        mutation: true
        idempotency: optional
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Idempotency
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` does not say what a second call does",
    "say `annotations: {{idempotentHint: …}}`, or take a key with `idempotency`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where neither the hint nor a key is stated."""
    tool = visit.tool
    is_stated = "idempotentHint" in tool.annotations.stated
    if tool.mutation and not is_stated and tool.idempotency is Idempotency.NONE:
        yield KIND.at(visit.at("mutation"), tool=tool.name)
