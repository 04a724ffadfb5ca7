"""Tools that change something work with credentials that all users share."""

from toolspec.rules.api import (
    AuthKind,
    Credentials,
    Diagnostics,
    Label,
    Service,
    Severity,
    Tool,
    declare,
    name_span,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{service}` changes things with credentials that all its users share",
    "use `credentials: perUser`, or let a scope or permission say who may",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for shared credentials where a tool changes something and nothing limits it."""
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
