"""A tool's name says that it changes something, and its flags say that it only reads."""

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
    "`{tool}` is named as if it changed something, and has `mutation: false`",
    "say `mutation: true` if it does, or choose a verb of reading: `preview`, `plan`, `get`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic where the first word of a read-only tool's name is one of changing."""
    if not visit.tool.mutation and words_of(visit.tool.name)[0] in CREATING | CHANGING:
        yield KIND.at(name_span(visit.tool), tool=visit.tool.name)
