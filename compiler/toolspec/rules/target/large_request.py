"""The tools of a service are too large for one request."""

from toolspec.rules.api import (
    BYTES,
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
    "the tools of `{service}` are about {size} KB; `{target}` is known to accept {limit} KB",
    "shorten descriptions and long enums, or split the service",
)
VISITS = ProjectFacts
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 0,
        "default": 0,
        "description": "Maximum size in KB; 0 means the known limit of the target.",
    },
}
KB = 1000


def check(project: ProjectFacts, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each service and target whose tools together exceed the limit."""
    for target in project.targets:
        profile = find_profile(target)
        default = profile.limits.request_bytes if profile else None
        limit = int_option(options, "limit") * KB or default
        for service in project.services if default and limit else ():
            size = sum(tool.tokens for tool in service.tools) * BYTES
            if limit and size > limit:
                yield KIND.at(
                    project.span(service),
                    subject=Subject(service.name),
                    service=service.name,
                    size=size // KB,
                    limit=limit // KB,
                    target=target,
                )
