"""A tool that creates something takes no idempotency key."""

from toolspec.rules.api import (
    CREATING,
    Diagnostics,
    Severity,
    ToolVisit,
    declare,
    is_repeatable,
    name_span,
    words_of,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "a repeated call of `{tool}` creates a second object",
    "add `idempotency: optional`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a verb of creation without a key, unless the tool is idempotent."""
    tool = visit.tool
    is_creating = tool.mutation and words_of(tool.name)[0] in CREATING
    if is_creating and not is_repeatable(tool):
        yield KIND.at(name_span(tool), tool=tool.name)
