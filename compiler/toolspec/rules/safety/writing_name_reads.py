"""The name of a read-only tool says that it changes something."""

from toolspec.rules.api import (
    CHANGING,
    CREATING,
    Diagnostics,
    Severity,
    ToolVisit,
    declare,
    name_span,
    words_of,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "the name of `{tool}` says that it changes something, but it has `mutation: false`",
    "set `mutation: true` if it does, or choose a verb of reading: `preview`, `plan`, `get`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if the first word of a read-only tool's name is a verb of change."""
    if not visit.tool.mutation and words_of(visit.tool.name)[0] in CREATING | CHANGING:
        yield KIND.at(name_span(visit.tool), tool=visit.tool.name)
