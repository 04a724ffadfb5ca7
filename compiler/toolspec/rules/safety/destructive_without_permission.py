"""A destructive tool requests no permission."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is destructive and requests no permission",
    "name what it destroys in `permissions`: a file, a host, or another tool",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a stated `destructiveHint` without permissions or `revert`."""
    tool = visit.tool
    hints = tool.annotations
    is_stated = hints.destructive and "destructiveHint" in hints.stated
    if tool.mutation and is_stated and not (tool.permissions or tool.revert):
        yield KIND.at(visit.at("annotations", "destructiveHint"), tool=tool.name)
