"""The name of a tool does not say what the tool does."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, words_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{name}` does not say what the tool does",
    "name the object that it acts on, for instance `{name}Report`, and keep the old name as an alias",
)
VISITS = ToolVisit
_EMPTY = frozenset(
    {
        "action", "call", "command", "data", "do", "execute", "function", "handle", "handler",
        "helper", "invoke", "item", "object", "operation", "perform", "process", "request", "run",
        "task", "thing", "tool", "util", "utils", "value",
    }
)  # fmt: skip


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a name that consists of words without a specific meaning."""
    if _EMPTY.issuperset(words_of(visit.tool.name)):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
