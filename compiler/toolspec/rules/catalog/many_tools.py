"""A service has too many tools."""

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    ProjectFacts,
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
VISITS = ProjectFacts
OPTIONS = limit_option(40, "Tools of a service.")


def check(project: ProjectFacts, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each service above the limit."""
    limit = int_option(options, "limit")
    for service in project.services:
        if len(service.tools) > limit:
            yield KIND.at(
                project.span(service),
                subject=Subject(service.name),
                service=service.name,
                count=len(service.tools),
                limit=limit,
            )
