"""One service has several verbs for the same act.

Who has met `getIssue` looks for `getProject`, a model or a person. Where that one is called
`fetchProject` the difference seems to mean something, and it does not.

Reported:

    tools:
      - name: getIssue
      - name: fetchProject

Accepted:

    tools:
      - name: getIssue
      - name: listIssues
      - name: searchIssues
      - name: getProject
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Service
from toolspec.rules.grouping import at_tools
from toolspec.rules.rule import declare
from toolspec.rules.words import SYNONYMS, listed, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the tools of `{service}` say {verbs} for one act",
    "take one of them, and keep the old names as aliases",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each set of synonyms of which a service uses several as first words."""
    users: dict[str, list[Tool]] = {}
    for tool in service.tools:
        for verb in words_of(tool.name)[:1]:
            users.setdefault(verb, []).append(tool)
    for synonyms in SYNONYMS:
        verbs = sorted(
            (verb for verb in users if verb in synonyms), key=lambda verb: -len(users[verb])
        )
        if len(verbs) > 1:
            yield at_tools(
                service,
                KIND,
                [tool for verb in verbs[1:] for tool in users[verb]],
                label=f"the most say `{verbs[0]}`",
                more="and here",
                service=service.name,
                verbs=listed(verbs),
            )
