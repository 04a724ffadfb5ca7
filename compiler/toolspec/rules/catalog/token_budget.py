"""The tools of a service cost more tokens than its budget."""

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
    Severity.WARNING,
    "the tools of `{service}` cost about {tokens} tokens in every request, more than {limit}",
    "shorten the longest: {longest}",
)
VISITS = ProjectFacts
OPTIONS = limit_option(20000, "Tokens of a service.")


def check(project: ProjectFacts, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each service above the budget, with the three tools that cost most."""
    limit = int_option(options, "limit")
    for service in project.services:
        # By name: of several versions, one is in a request.
        spent = sum({tool.full_name: tool.tokens for tool in service.tools}.values())
        if spent > limit:
            longest = sorted(service.tools, key=lambda tool: -tool.tokens)[:3]
            yield KIND.at(
                project.span(service),
                subject=Subject(service.name),
                service=service.name,
                tokens=spent,
                limit=limit,
                longest=", ".join(f"`{tool.name}` ({tool.tokens})" for tool in longest),
            )
