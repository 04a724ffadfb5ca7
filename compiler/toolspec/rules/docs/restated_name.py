"""A tool's description only says its name again.

It costs tokens and tells a model nothing: not what comes back, not when to use it.

Reported:

    tools:
      - name: listIssues
        description: Lists the issues.
    ---
    tools:
      - name: get_user
        description: Tool to get a user

Accepted:

    tools:
      - name: listIssues
        description: Lists the open issues of a repository.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import plain_words, says_only, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the description of `{tool}` says no more than its name",
    "say what comes back, and when to use it rather than another tool",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where every word of the text is one of the name's."""
    names = f"{' '.join(words_of(visit.tool.name))} {' '.join(words_of(visit.service.name))}"
    if says_only(visit.tool.description, plain_words(names)):
        yield KIND.at(visit.at("description"), tool=visit.tool.name)
