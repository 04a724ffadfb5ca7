"""Tools that change something work with credentials that all users share.

What a user may not do the shared account may. Whoever can talk to the model can then change what is
not theirs, and nobody can tell afterwards who it was.

Reported:

    service:
      auth:
        type: oauth2
        authorizationUrl: https://example.com/authorize
        tokenUrl: https://example.com/token
        credentials: shared
    tools:
      - name: addNote
        mutation: true

Accepted:

    service:
      auth:
        type: oauth2
        authorizationUrl: https://example.com/authorize
        tokenUrl: https://example.com/token
        credentials: perUser
    tools:
      - name: addNote
        mutation: true
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.frontend.places import name_span
from toolspec.ir import AuthKind, Credentials, Service
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{service}` changes things with credentials that all its users share",
    "use `credentials: perUser`, or let a scope or permission say who may",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for shared credentials where a tool changes something and nothing limits it."""
    auth = service.auth
    if auth.kind is AuthKind.NONE or auth.credentials is not Credentials.SHARED:
        return
    free = [
        tool for tool in service.tools if tool.mutation and not (tool.scopes or tool.permissions)
    ]
    if free:
        place = service.place
        span = place.at("auth", "credentials").span if place else None
        yield KIND.at(span, labels=_at(free[0]), service=service.name)


def _at(tool: Tool) -> tuple[Label, ...]:
    span = name_span(tool)
    return (Label(span, "for instance this"),) if span else ()
