"""A tool's name looks like one that was not meant to stay.

`search_old`, `copyOfSearch` and `foo` are names of a day's work. A model cannot know that it should
not call them.

Reported:

    tools:
      - name: search_old
    ---
    tools:
      - name: foo

Accepted:

    tools:
      - name: createTest
      - name: copyFile
      - name: searchTemporaryFiles
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{name}` looks like a leftover",
    "rename it if it is to stay; say `deprecated` if it is on its way out",
)
VISITS = ToolVisit
_ENDINGS = frozenset({"backup", "bak", "copy", "deprecated", "old", "orig", "tmp", "todo", "wip"})
_PLACEHOLDERS = frozenset({"asdf", "bar", "baz", "example", "foo", "sample", "test", "tmp", "todo"})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a name that is a placeholder or ends like one."""
    words = words_of(visit.tool.name)
    is_leftover = words[-1] in _ENDINGS and len(words) > 1 and not visit.tool.deprecated
    if is_leftover or _PLACEHOLDERS.issuperset(words):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
