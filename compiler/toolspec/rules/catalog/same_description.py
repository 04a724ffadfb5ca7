"""Two tools are described in the same words.

A model that reads both has only the names to choose by, and takes the one that comes first.

Reported:

    tools:
      - name: search
        description: Finds notes by words of their text.
      - name: find
        description: Finds notes by words of their text.
    ---
    services:
      notes: {tools: [{name: search, description: Finds things by the words in them.}]}
      issues: {tools: [{name: search, description: Finds things by the words in them.}]}

Accepted:

    tools:
      - name: search
        description: Finds notes by words of their text.
      - name: find
        description: Finds notes by their tags.
      - name: search
        version: "2.0"
        description: Finds notes by words of their text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.rule import declare
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.catalogue import ToolFacts

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{tools} are described in the same words",
    "say in each what sets it apart from the others",
)
VISITS = Catalogue
LABELS = 5


def check(catalogue: Catalogue) -> Iterator[Diagnostic]:
    """Yield a finding for each description that several tools share, at the second of them."""
    users: dict[str, dict[str, ToolFacts]] = {}
    for tool in catalogue.tools:
        # By name: versions of one tool are never offered beside each other.
        text = " ".join(tool.description.split()).casefold()
        users.setdefault(text, {}).setdefault(tool.full_name, tool)
    for tools in users.values():
        if len(tools) > 1:
            first, second, *more = tools.values()
            others = (catalogue.span(each) for each in (first, *more[: LABELS - 2]))
            yield KIND.at(
                catalogue.span(second),
                labels=(Label(span, "the same here") for span in others if span),
                subject=catalogue.subject(second),
                tools=listed(tools),
            )
