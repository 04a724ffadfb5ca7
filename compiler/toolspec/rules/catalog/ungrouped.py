"""A service with many tools has no groups."""

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
    "none of the {count} tools of `{service}` has a group",
    "set `group` for each tool",
)
VISITS = ProjectFacts
OPTIONS = limit_option(30, "Tools of a service.")


def check(project: ProjectFacts, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each service with many tools and no group."""
    limit = int_option(options, "limit")
    for service in project.services:
        if len(service.tools) > limit and not any(tool.group for tool in service.tools):
            yield KIND.at(
                project.span(service),
                subject=Subject(service.name),
                count=len(service.tools),
                service=service.name,
            )
