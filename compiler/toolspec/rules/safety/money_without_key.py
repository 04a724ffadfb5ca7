"""A tool moves money, and a repeated call moves it twice.

A lost answer is enough: the client tries again. With an idempotency key the second call gets the
answer of the first.

Reported:

    tools:
      - name: payInvoice
        mutation: true
        effects: [money]

Accepted:

    tools:
      - name: payInvoice
        mutation: true
        effects: [money]
        idempotency: required
      - name: capturePayment
        mutation: true
        effects: [money]
        annotations: {idempotentHint: true}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Effect
from toolspec.rules.effects import is_repeatable
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` moves money, and a repeated call moves it twice",
    "add `idempotency: required`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the effect `money` without a key or the idempotent hint."""
    tool = visit.tool
    if Effect.MONEY in tool.effects and not is_repeatable(tool):
        yield KIND.at(visit.at("effects"), tool=tool.name)
