"""A streaming tool makes changes that cannot be reverted or repeated."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, is_repeatable

KIND = declare(
    __name__,
    Severity.NOTE,
    "a broken stream leaves the changes of `{tool}` half done",
    "declare `revert: true`, or make the tool idempotent so that it can be called again",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a mutating stream that can neither be reverted nor repeated."""
    tool = visit.tool
    is_safe = tool.revert or is_repeatable(tool)
    if tool.streaming and tool.mutation and not is_safe:
        yield KIND.at(visit.at("streaming"), tool=tool.name)
