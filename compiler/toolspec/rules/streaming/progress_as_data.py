"""The chunks of a stream contain progress."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, members

KIND = declare(
    __name__,
    Severity.NOTE,
    "the chunks of `{tool}` contain `{name}`, which looks like progress",
    "report progress with the context's `progress`, and stream only data",
)
VISITS = ToolVisit
_PROGRESS = frozenset({"percent", "percentage", "percentcomplete", "progress"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first member of a chunk with the name of progress."""
    names = members(visit.tool.chunk.value) if visit.tool.chunk else ()
    if name := next((name for name in names if name.casefold() in _PROGRESS), ""):
        yield KIND.at(visit.at("streaming"), tool=visit.tool.name, name=name)
