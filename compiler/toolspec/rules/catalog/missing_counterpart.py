"""A service creates what it cannot show.

A model that has made something wants to look at it, and at what was there before. Without a tool that
reads, it creates a second one to be sure.

Reported:

    tools:
      - name: createLabel
        mutation: true
      - name: listIssues

Accepted:

    tools:
      - name: createLabel
        mutation: true
      - name: listLabels
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.ir import Service
from toolspec.rules.rule import declare
from toolspec.rules.words import plain_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{service}` has `{tool}`, and no tool that reads `{noun}`",
    "add one that lists or gets them",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each tool that creates a thing of which no read-only tool speaks."""
    shown = {word for tool in service.tools if not tool.mutation for word in _nouns(tool)}
    for tool in service.tools:
        nouns = _nouns(tool)
        verb, *rest = words_of(tool.name)
        is_creating = tool.mutation and verb == "create" and "or" not in rest
        if is_creating and nouns and not nouns & shown:
            noun = "_".join(rest)
            yield KIND.at(name_span(tool), service=service.name, tool=tool.name, noun=noun)


def _nouns(tool: Tool) -> frozenset[str]:
    return plain_words(" ".join(words_of(tool.name)[1:]))
