"""The name of a tool is too long with the prefix of a client."""

from toolspec.rules.api import (
    LONGEST,
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
    Severity.WARNING,
    "`{tool}` has {length} characters with the prefix of a client, more than {limit}",
    "shorten it, and keep the old name as an alias",
)
VISITS = ProjectFacts
OPTIONS = limit_option(64, "Maximum characters.")


def check(project: ProjectFacts, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each name that is too long with the service as a prefix."""
    limit = int_option(options, "limit")
    if not any(target.startswith("mcp-") for target in project.targets):
        return
    for tool in project.tools:
        if len(tool.full_name) > LONGEST:  # a separate error
            continue
        length = len(f"mcp__{tool.service}__{tool.full_name}")
        if length > limit:
            yield KIND.at(
                project.span(tool),
                subject=project.subject(tool),
                tool=tool.full_name,
                length=length,
                limit=limit,
            )
