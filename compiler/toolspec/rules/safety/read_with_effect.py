"""A tool with `mutation: false` declares an effect that changes something."""

from toolspec.rules.api import Diagnostics, Effect, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "`{tool}` has `mutation: false` and the effect `{effect}`",
    "set `mutation: true`, or delete the effect",
)
VISITS = ToolVisit
_CHANGING = frozenset({Effect.DELETE, Effect.MESSAGE, Effect.MONEY})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each effect that only a change can have."""
    if not visit.tool.mutation:
        for effect in _CHANGING.intersection(visit.tool.effects):
            yield KIND.at(visit.at("effects"), tool=visit.tool.name, effect=effect)
