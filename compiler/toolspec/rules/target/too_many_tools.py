"""A build has more tools than a provider accepts in one request."""

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    ProjectFacts,
    Severity,
    Subject,
    declare,
    find_profile,
    int_option,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{count} tools are more than the {limit} that `{target}` accepts in one request",
    "split the services, or let callers choose among them",
)
VISITS = ProjectFacts
OPTIONS: dict[str, JsonObject] = {
    "margin": {"type": "integer", "default": 0, "description": "Tools allowed above the limit."},
}


def check(project: ProjectFacts, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each target that accepts fewer tools than there are."""
    count = sum(len(service.tools) for service in project.services)
    for target in project.targets:
        profile = find_profile(target)
        limit = profile.limits.tools if profile else None
        if limit and count > limit + int_option(options, "margin"):
            largest = max(project.services, key=lambda service: len(service.tools))
            yield KIND.at(
                project.span(largest),
                subject=Subject(largest.name),
                count=count,
                limit=limit,
                target=target,
            )
