"""A tool's name looks like one that was not meant to stay."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, words_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{name}` looks like a leftover",
    "rename it if it is to stay; say `deprecated` if it is on its way out",
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
