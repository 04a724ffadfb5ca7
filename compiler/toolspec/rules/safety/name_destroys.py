"""The name of a tool says that it destroys, but its flags deny it."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, snake_case

KIND = declare(
    __name__,
    Severity.WARNING,
    "the name of `{tool}` says that it destroys, but {stated} denies it",
    "{remedy} if the tool destroys, or choose a verb that says what it does",
)
VISITS = ToolVisit
VERBS = frozenset({"delete", "destroy", "drop", "erase", "purge", "remove", "truncate", "wipe"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if the first word of the name is a verb of destruction."""
    tool = visit.tool
    if tool.annotations.destructive or snake_case(tool.name).split("_")[0] not in VERBS:
        return
    stated, remedy = "`mutation: false`", "write `mutation: true`"
    if tool.mutation:
        stated, remedy = "`destructiveHint: false`", "delete the hint"
    yield KIND.at(name_span(tool), tool=tool.name, stated=stated, remedy=remedy)
