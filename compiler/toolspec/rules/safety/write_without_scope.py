"""A mutating tool requires no scope, although its service has scopes."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` changes something, but requires none of the scopes of `{service}`",
    "list the scopes that a caller needs in `scopes`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a mutating tool without scopes of its own or of the service."""
    tool, service = visit.tool, visit.service
    if tool.mutation and service.auth.scopes and not (tool.scopes or service.scopes):
        yield KIND.at(name_span(tool), tool=tool.name, service=service.name)
