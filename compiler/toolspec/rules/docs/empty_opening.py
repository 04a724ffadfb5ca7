"""A description opens with words that say nothing.

`This tool allows you to` stands in front of half the descriptions there are. It costs tokens, and it
takes the place that clients show in lists.

Reported:

    tools:
      - name: search
        description: This tool allows you to find notes by words of their text.

Accepted:

    tools:
      - name: search
        description: Finds notes by words of their text.
      - name: list
        description: This week's notes, newest first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the description of `{tool}` opens with `{opening}`",
    "begin with the verb of what it does",
)
VISITS = ToolVisit
_OPENING = re.compile(
    r"(?i)(?:this|the) (?:tool|function|method|endpoint|api)(?: (?:is|can be|allows?|lets?|enables?|helps?"
    r"|provides?|will))*(?: (?:used|able|you|the user|users|to))*"
    r"|(?:a )?(?:tool|function|method|utility) (?:that|which|to|for)\b"
)


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for an opening without a meaning."""
    if found := _OPENING.match(visit.tool.description):
        yield KIND.at(visit.at("description"), tool=visit.tool.name, opening=found[0].strip())
