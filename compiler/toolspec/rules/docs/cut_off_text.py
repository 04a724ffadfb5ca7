"""A description ends in the middle of a sentence.

Somebody cut it, a limit or a template, and what followed is lost: often the part that says what a
tool must not be used for.

Reported:

    tools:
      - name: search
        description: Finds notes by words of their text,
    ---
    tools:
      - name: search
        description: Finds notes by words of their text and

Accepted:

    tools:
      - name: search
        description: Finds notes by words of their text
      - name: list
        description: "Lists notes, their authors, dates etc."
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
    "the description of `{tool}` ends in the middle of a sentence",
    "write the rest, or end the sentence",
)
VISITS = ToolVisit
_CUT = re.compile(r"(?:[,;(\[{]|\b(?:and|or|but|the|an|a|of|with|which|because|if))$")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a text that ends with a comma, an opening bracket or a small word."""
    if _CUT.search(visit.tool.description.rstrip()):
        yield KIND.at(visit.at("description"), tool=visit.tool.name)
