"""A service has no version."""

from toolspec.rules.api import Diagnostics, Service, Severity, declare, name_span

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{service}` has no version; {version} is assumed",
    "add `version: 1.0.0`, and raise it with each change",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic if no version is stated."""
    location = service.location
    if location and location.at("version").value_or_none is None:
        yield KIND.at(name_span(service), service=service.name, version=service.version)
