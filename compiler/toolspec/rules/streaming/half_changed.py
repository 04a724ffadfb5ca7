"""A tool changes something while it streams, and cannot be undone."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, is_repeatable

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` changes something while it streams, and a broken stream leaves it half done",
    "declare `revert: true`, or make it idempotent so that it can be called again",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a mutating stream that can neither be undone nor repeated."""
    tool = visit.tool
    is_safe = tool.revert or is_repeatable(tool)
    if tool.streaming and tool.mutation and not is_safe:
        yield KIND.at(visit.at("streaming"), tool=tool.name)
