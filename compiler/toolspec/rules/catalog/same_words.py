"""Two tools have names of the same words.

`searchIssues` and `issueSearch` are one name to a model that recalls the words, and to a person who
reads a log.

Reported:

    tools:
      - name: searchIssues
      - name: issueSearch

Accepted:

    tools:
      - name: searchIssues
      - name: getIssue
      - name: getIssues
      - name: textToSpeech
      - name: speechToText
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.frontend.places import name_span
from toolspec.ir import Service
from toolspec.rules.rule import declare
from toolspec.rules.words import listed, plain_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{tools} have names of the same words",
    "rename one of them so that the name says what sets it apart",
)
VISITS = Service
_DIRECTIONS = frozenset({"by", "for", "from", "in", "into", "of", "on", "to"})


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each set of words that several tools have in another order."""
    users: dict[frozenset[str], dict[tuple[str, ...], Tool]] = {}
    for tool in service.tools:
        words = words_of(tool.name)
        if _DIRECTIONS.intersection(words):
            continue
        order = tuple(min(plain_words(word)) for word in words if plain_words(word))
        users.setdefault(frozenset(order), {}).setdefault(order, tool)
    for tools in users.values():
        if len(tools) > 1:
            first, second, *_ = tools.values()
            span = name_span(first)
            yield KIND.at(
                name_span(second),
                labels=(Label(span, "the same words"),) if span else (),
                tools=listed(each.name for each in tools.values()),
            )
