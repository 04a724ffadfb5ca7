"""The definition of a tool costs too many tokens."""

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    ProjectFacts,
    Severity,
    declare,
    int_option,
    limit_option,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` costs about {tokens} tokens in every request, more than {limit}",
    "shorten the definition, or split the tool",
)
VISITS = ProjectFacts
OPTIONS = limit_option(2000, "Tokens of a tool.")


def check(project: ProjectFacts, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each tool above the limit."""
    limit = int_option(options, "limit")
    for tool in project.tools:
        if tool.tokens > limit:
            yield KIND.at(
                project.span(tool),
                subject=project.subject(tool),
                tool=tool.full_name,
                tokens=tool.tokens,
                limit=limit,
            )
