"""A tool is named as one that does something else each time, and is said to be idempotent."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, words_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is said to be idempotent, and its name says that it is not",
    "take the hint out, or take the wanted state as a parameter",
)
VISITS = ToolVisit
_EACH_TIME = frozenset({"append", "decrement", "increment", "next", "toggle"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a verb of which no second call does the same."""
    tool = visit.tool
    is_said = tool.mutation and tool.annotations.idempotent
    if is_said and words_of(tool.name)[0] in _EACH_TIME:
        yield KIND.at(visit.at("annotations", "idempotentHint"), tool=tool.name)
