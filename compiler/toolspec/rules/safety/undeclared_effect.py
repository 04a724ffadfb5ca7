"""A tool's name speaks of an effect that it does not declare."""

from toolspec.rules.api import (
    Diagnostics,
    Effect,
    Severity,
    ToolVisit,
    declare,
    name_span,
    words_of,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` is named as if it had the effect `{effect}`, and does not declare it",
    "add `effects: [{effect}]` if it has",
)
VISITS = ToolVisit
_EFFECTS = {
    Effect.MONEY: frozenset({"buy", "charge", "pay", "purchase", "refund", "withdraw"}),
    Effect.MESSAGE: frozenset({"email", "message", "notify", "reply", "send", "tweet"}),
}


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first effect that the first word of a mutating tool's name speaks of."""
    tool = visit.tool
    verb = words_of(tool.name)[0]
    for effect, verbs in _EFFECTS.items():
        if tool.mutation and verb in verbs and effect not in tool.effects:
            yield KIND.at(name_span(tool), tool=tool.name, effect=effect)
