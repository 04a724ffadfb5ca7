"""No tool requires a scope of the service."""

from toolspec.rules.api import Diagnostics, Service, Severity, declare, listed

KIND = declare(
    __name__,
    Severity.NOTE,
    "no tool of `{service}` requires {scopes}",
    "delete it from `auth.scopes`, or add it to the tools that need it",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield one diagnostic for all scopes that neither the service nor a tool requires."""
    rules = (*service.scopes, *(rule for tool in service.tools for rule in tool.scopes))
    required = {scope for rule in rules for scope in rule.any_of}
    unused = [scope.name for scope in service.auth.scopes if scope.name not in required]
    if required and unused:
        location = service.location
        span = location.at("auth", "scopes", unused[0]).key_span if location else None
        yield KIND.at(span, service=service.name, scopes=listed(unused))
