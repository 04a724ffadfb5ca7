"""The name of a tool looks temporary."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, words_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "the name `{name}` looks temporary",
    "rename the tool if it is to stay, or mark it as `deprecated`",
)
VISITS = ToolVisit
_ENDINGS = frozenset({"backup", "bak", "copy", "deprecated", "old", "orig", "tmp", "todo", "wip"})
_PLACEHOLDERS = frozenset({"asdf", "bar", "baz", "example", "foo", "sample", "test", "tmp", "todo"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a name that is a placeholder or ends like one."""
    words = words_of(visit.tool.name)
    is_leftover = words[-1] in _ENDINGS and len(words) > 1 and not visit.tool.deprecated
    if is_leftover or _PLACEHOLDERS.issuperset(words):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
