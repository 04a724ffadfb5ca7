"""One parameter is spelled differently in tools of a service.

The id that one tool takes as `userId` another takes as `user_id`. A model carries the spelling from
one call to the next, and the call fails.

Reported:

    tools:
      - name: getUser
        inputSchema: {type: object, properties: {userId: {type: string, description: Whose.}}}
      - name: listIssues
        inputSchema: {type: object, properties: {user_id: {type: string, description: Whose.}}}

Accepted:

    tools:
      - name: getUser
        inputSchema: {type: object, properties: {userId: {type: string, description: Whose.}}}
      - name: listIssues
        inputSchema: {type: object, properties: {userId: {type: string, description: Whose.}}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Service
from toolspec.rules.members import members
from toolspec.rules.rule import declare
from toolspec.rules.words import listed, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{service}` spells one parameter in several ways: {spellings}",
    "choose one spelling for all tools of the service",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each parameter with several spellings, at the first tool with a rarer one."""
    spellings: dict[str, dict[str, list[Tool]]] = {}
    for tool in service.tools:
        for name in members(tool.input.value):
            alike = "".join(words_of(name))
            spellings.setdefault(alike, {}).setdefault(name, []).append(tool)
    for users in spellings.values():
        if len(users) > 1:
            names = sorted(users, key=lambda name: -len(users[name]))
            place = users[names[1]][0].input.place
            span = place.at("properties", names[1]).key_span if place else None
            label = f"most tools say `{names[0]}`"
            yield KIND.at(span, label, service=service.name, spellings=listed(names))
