"""A scope of the service is asked for by no tool.

Users are asked to grant it all the same, and grant more than anything needs.

Reported:

    service:
      auth:
        type: oauth2
        authorizationUrl: https://example.com/authorize
        tokenUrl: https://example.com/token
        scopes: {read: Read notes., write: Change notes.}
    tools: [{name: list, scopes: [read]}]

Accepted:

    service:
      auth:
        type: oauth2
        authorizationUrl: https://example.com/authorize
        tokenUrl: https://example.com/token
        scopes: {read: Read notes., write: Change notes.}
      scopes: [{any: [read, write]}]
    tools: [{name: list}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Service
from toolspec.rules.rule import declare
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "no tool of `{service}` asks for {scopes}",
    "take it out of `auth.scopes`, or name it where it is needed",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield one finding for the scopes of a service that neither it nor a tool of it asks for."""
    rules = (*service.scopes, *(rule for tool in service.tools for rule in tool.scopes))
    wanted = {scope for rule in rules for scope in rule.any_of}
    unused = [scope.name for scope in service.auth.scopes if scope.name not in wanted]
    if wanted and unused:
        place = service.place
        span = place.at("auth", "scopes", unused[0]).key_span if place else None
        yield KIND.at(span, service=service.name, scopes=listed(unused))
