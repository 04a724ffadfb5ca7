"""The name of a tool suggests an effect that the tool does not declare."""

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
    "the name of `{tool}` suggests the effect `{effect}`, which it does not declare",
    "add `effects: [{effect}]` if the tool has it",
)
VISITS = ToolVisit
_EFFECTS = {
    Effect.MONEY: frozenset({"buy", "charge", "pay", "purchase", "refund", "withdraw"}),
    Effect.MESSAGE: frozenset({"email", "message", "notify", "reply", "send", "tweet"}),
}


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first undeclared effect that the first word of the name suggests."""
    tool = visit.tool
    verb = words_of(tool.name)[0]
    for effect, verbs in _EFFECTS.items():
        if tool.mutation and verb in verbs and effect not in tool.effects:
            yield KIND.at(name_span(tool), tool=tool.name, effect=effect)
