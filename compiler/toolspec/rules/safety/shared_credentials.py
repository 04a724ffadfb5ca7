"""Mutating tools use credentials that all users share."""

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
    "`{service}` changes data with credentials that all of its users share",
    "use `credentials: perUser`, or require a scope or a permission",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for shared credentials if mutating tools require no scope or permission."""
    auth = service.auth
    if auth.kind is AuthKind.NONE or auth.credentials is not Credentials.SHARED:
        return
    free = [
        tool for tool in service.tools if tool.mutation and not (tool.scopes or tool.permissions)
    ]
    if free:
        location = service.location
        span = location.at("auth", "credentials").span if location else None
        yield KIND.at(span, labels=_at(free[0]), service=service.name)


def _at(tool: Tool) -> tuple[Label, ...]:
    span = name_span(tool)
    return (Label(span, "for instance this"),) if span else ()
