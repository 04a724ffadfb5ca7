"""A tool that changes something asks for no scope, in a service that has scopes.

Whoever may sign in may then change everything the tool can reach: the authorization server is never
asked about it.

Reported:

    service:
      auth:
        type: oauth2
        authorizationUrl: https://example.com/authorize
        tokenUrl: https://example.com/token
        scopes: {write: Change notes.}
    tools:
      - name: addNote
        mutation: true

Accepted:

    service:
      auth:
        type: oauth2
        authorizationUrl: https://example.com/authorize
        tokenUrl: https://example.com/token
        scopes: {write: Change notes.}
    tools:
      - name: addNote
        mutation: true
        scopes: [write]
      - name: listNotes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` changes something, and asks for none of the scopes of `{service}`",
    "name in `scopes` what a caller must be allowed",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a mutating tool without scopes, its own or the service's."""
    tool, service = visit.tool, visit.service
    if tool.mutation and service.auth.scopes and not (tool.scopes or service.scopes):
        yield KIND.at(name_span(tool), tool=tool.name, service=service.name)
