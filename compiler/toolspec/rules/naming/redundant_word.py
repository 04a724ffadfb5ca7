"""The name of a tool ends with `tool`."""

from toolspec.rules.api import (
    CHANGING,
    CREATING,
    DESTROYING,
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
    "`{name}` ends with `tool`, which adds nothing",
    "leave the word out, and keep the old name as an alias",
)
VISITS = ToolVisit
_WITH_TOOLS = CREATING | CHANGING | DESTROYING | {"call", "describe", "get", "run", "use"}


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a name that ends with `tool`, unless the tool acts on tools."""
    first, *rest = words_of(visit.tool.name)
    is_object = first in _WITH_TOOLS and len(rest) == 1
    if rest[-1:] == ["tool"] and not is_object:
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
