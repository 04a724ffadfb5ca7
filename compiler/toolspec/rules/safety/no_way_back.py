"""A destructive tool has neither a dry run nor a way to revert it."""

from toolspec.rules.api import (
    Diagnostics,
    Severity,
    ToolVisit,
    declare,
    destroys,
    members,
    name_span,
    words_of,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` is destructive, and has neither a dry run nor `revert`",
    "declare `revert: true`, or take a `dryRun` parameter",
)
VISITS = ToolVisit
_TRIALS = frozenset({"dryrun", "preview", "simulate", "validateonly", "whatif"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a tool that is known to destroy, without `revert` or a dry run."""
    tool = visit.tool
    if tool.revert or not destroys(tool):
        return
    if not any("".join(words_of(name)) in _TRIALS for name in members(tool.arguments)):
        yield KIND.at(name_span(tool), tool=tool.name)
