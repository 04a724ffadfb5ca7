"""A tool that changes something does not say whether it destroys."""

from toolspec.rules.api import DESTROYING, Diagnostics, Severity, ToolVisit, declare, words_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` counts as destructive, since it does not say otherwise",
    "say `annotations: {{destructiveHint: false}}` if it only adds or changes back and forth",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic where the hint is derived, and the name does not say that it destroys."""
    tool = visit.tool
    is_stated = "destructiveHint" in tool.annotations.stated
    if tool.mutation and not is_stated and words_of(tool.name)[0] not in DESTROYING:
        yield KIND.at(visit.at("mutation"), tool=tool.name)
