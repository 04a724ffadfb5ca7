"""A tool's name speaks of an effect that it does not declare.

Clients decide by `effects` what they ask for and what they write down: `money` is asked for each time.
What is only in the name they do not see.

Reported:

    tools:
      - name: refundPayment
        mutation: true
    ---
    tools:
      - name: sendEmail
        mutation: true

Accepted:

    tools:
      - name: refundPayment
        mutation: true
        effects: [money]
        idempotency: required
      - name: listPayments
      - name: sendEmail
        mutation: true
        effects: [message]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.ir import Effect
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
    "`{tool}` is named as if it had the effect `{effect}`, and does not declare it",
    "add `effects: [{effect}]` if it has",
)
VISITS = ToolVisit
_EFFECTS = {
    Effect.MONEY: frozenset({"buy", "charge", "pay", "purchase", "refund", "withdraw"}),
    Effect.MESSAGE: frozenset({"email", "message", "notify", "reply", "send", "tweet"}),
}


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first effect that the first word of a mutating tool's name speaks of."""
    tool = visit.tool
    verb = words_of(tool.name)[0]
    for effect, verbs in _EFFECTS.items():
        if tool.mutation and verb in verbs and effect not in tool.effects:
            yield KIND.at(name_span(tool), tool=tool.name, effect=effect)
