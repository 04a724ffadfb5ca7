"""A tool that changes something asks for no scope, in a service that has scopes."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` changes something, and asks for none of the scopes of `{service}`",
    "name in `scopes` what a caller must be allowed",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a mutating tool without scopes, its own or the service's."""
    tool, service = visit.tool, visit.service
    if tool.mutation and service.auth.scopes and not (tool.scopes or service.scopes):
        yield KIND.at(name_span(tool), tool=tool.name, service=service.name)
