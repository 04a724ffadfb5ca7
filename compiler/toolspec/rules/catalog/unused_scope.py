"""A scope of the service is asked for by no tool."""

from toolspec.rules.api import Diagnostics, Service, Severity, declare, listed

KIND = declare(
    __name__,
    Severity.NOTE,
    "no tool of `{service}` asks for {scopes}",
    "take it out of `auth.scopes`, or name it where it is needed",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield one diagnostic for the scopes of a service that neither it nor a tool of it asks for."""
    rules = (*service.scopes, *(rule for tool in service.tools for rule in tool.scopes))
    wanted = {scope for rule in rules for scope in rule.any_of}
    unused = [scope.name for scope in service.auth.scopes if scope.name not in wanted]
    if wanted and unused:
        place = service.place
        span = place.at("auth", "scopes", unused[0]).key_span if place else None
        yield KIND.at(span, service=service.name, scopes=listed(unused))
