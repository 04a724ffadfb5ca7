"""Progress is mixed into the items of a stream."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, members

KIND = declare(
    __name__,
    Severity.NOTE,
    "the items of `{tool}` hold `{name}`, which looks like progress",
    "tell it with the context's `progress`, and keep the items to the data",
)
VISITS = ToolVisit
_PROGRESS = frozenset({"percent", "percentage", "percentcomplete", "progress"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first member of a chunk that is named like progress."""
    names = members(visit.tool.chunk.value) if visit.tool.chunk else ()
    if found := next((name for name in names if name.casefold() in _PROGRESS), ""):
        yield KIND.at(visit.at("streaming"), tool=visit.tool.name, name=found)
