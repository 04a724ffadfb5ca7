"""A tool that moves money takes no idempotency key."""

from toolspec.rules.api import Diagnostics, Effect, Severity, ToolVisit, declare, is_repeatable

KIND = declare(
    __name__,
    Severity.WARNING,
    "a repeated call of `{tool}` moves money a second time",
    "add `idempotency: required`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the effect `money` without a key or the idempotent hint."""
    tool = visit.tool
    if Effect.MONEY in tool.effects and not is_repeatable(tool):
        yield KIND.at(visit.at("effects"), tool=tool.name)
