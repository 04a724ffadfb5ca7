"""A service has too many tools."""

from toolspec.rules.api import (
    Catalogue,
    Diagnostics,
    JsonObject,
    Severity,
    Subject,
    declare,
    int_option,
    limit_option,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{service}` has {count} tools, more than {limit}",
    "split the service, or merge tools that differ in one parameter only",
)
VISITS = Catalogue
OPTIONS = limit_option(40, "Tools of a service.")


def check(catalogue: Catalogue, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each service above the limit."""
    limit = int_option(options, "limit")
    for service in catalogue.services:
        if len(service.tools) > limit:
            yield KIND.at(
                catalogue.span(service),
                subject=Subject(service.name),
                service=service.name,
                count=len(service.tools),
                limit=limit,
            )
