"""A service with many tools has no groups."""

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
    "none of the {count} tools of `{service}` has a group",
    "set `group` for each tool",
)
VISITS = Catalogue
OPTIONS = limit_option(30, "Tools of a service.")


def check(catalogue: Catalogue, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each service with many tools and no group."""
    limit = int_option(options, "limit")
    for service in catalogue.services:
        if len(service.tools) > limit and not any(tool.group for tool in service.tools):
            yield KIND.at(
                catalogue.span(service),
                subject=Subject(service.name),
                count=len(service.tools),
                service=service.name,
            )
