"""A mutating tool does not say whether it is destructive."""

from toolspec.rules.api import DESTROYING, Diagnostics, Severity, ToolVisit, declare, words_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` counts as destructive, because it has no `destructiveHint`",
    "add `annotations: {{destructiveHint: false}}` if it only adds, or if its changes can be reversed",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if the hint is derived and the name is not one of destruction."""
    tool = visit.tool
    is_stated = "destructiveHint" in tool.annotations.stated
    if tool.mutation and not is_stated and words_of(tool.name)[0] not in DESTROYING:
        yield KIND.at(visit.at("mutation"), tool=tool.name)
