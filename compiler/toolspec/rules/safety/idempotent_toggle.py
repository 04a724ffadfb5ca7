"""A tool with `idempotentHint: true` has the name of an action that repeats."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, words_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` has `idempotentHint: true`, but its name says that each call has another effect",
    "delete the hint, or take the wanted state as a parameter",
)
VISITS = ToolVisit
_EACH_TIME = frozenset({"append", "decrement", "increment", "next", "toggle"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for an idempotent tool with a verb whose repetition has another effect."""
    tool = visit.tool
    is_said = tool.mutation and tool.annotations.idempotent
    if is_said and words_of(tool.name)[0] in _EACH_TIME:
        yield KIND.at(visit.at("annotations", "idempotentHint"), tool=tool.name)
