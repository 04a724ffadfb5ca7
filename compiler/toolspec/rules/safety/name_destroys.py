"""A tool's name says that it destroys, and its flags say that it does not."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, snake_case

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is named as if it destroyed, and {stated} says that it does not",
    "{remedy} if the tool destroys, or choose a verb that says what it does",
)
VISITS = ToolVisit
VERBS = frozenset({"delete", "destroy", "drop", "erase", "purge", "remove", "truncate", "wipe"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic where the first word of the name is one of the verbs."""
    tool = visit.tool
    if tool.annotations.destructive or snake_case(tool.name).split("_")[0] not in VERBS:
        return
    stated, remedy = "`mutation: false`", "write `mutation: true`"
    if tool.mutation:
        stated, remedy = "`destructiveHint: false`", "delete the hint"
    yield KIND.at(name_span(tool), tool=tool.name, stated=stated, remedy=remedy)
