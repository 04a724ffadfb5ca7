"""The name of a mutating tool says that it only reads."""

from toolspec.rules.api import (
    READING,
    Diagnostics,
    Severity,
    ToolVisit,
    declare,
    name_span,
    words_of,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "the name of `{tool}` says that it reads, but it has `mutation: true`",
    "set `mutation: false` if it only reads, or choose a verb that says what it changes",
)
VISITS = ToolVisit
_ACTS = {("check", "in"), ("check", "out")}


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if the first word of a mutating tool's name is a verb of reading."""
    words = words_of(visit.tool.name)
    if visit.tool.mutation and words[0] in READING and tuple(words[:2]) not in _ACTS:
        yield KIND.at(name_span(visit.tool), tool=visit.tool.name)
