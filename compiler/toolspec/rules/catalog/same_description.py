"""Several tools have the same description."""

from toolspec.rules.api import (
    Diagnostics,
    Label,
    ProjectFacts,
    Severity,
    ToolFacts,
    declare,
    listed,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{tools} have the same description",
    "say in each description how the tool differs from the others",
)
VISITS = ProjectFacts
LABELS = 5


def check(project: ProjectFacts) -> Diagnostics:
    """Yield a diagnostic for each description that several tools share, at the second of them."""
    users: dict[str, dict[str, ToolFacts]] = {}
    for tool in project.tools:
        # By name: versions of one tool are never offered beside each other.
        text = " ".join(tool.description.split()).casefold()
        users.setdefault(text, {}).setdefault(tool.full_name, tool)
    for tools in users.values():
        if len(tools) > 1:
            first, second, *more = tools.values()
            others = (project.span(tool_facts) for tool_facts in (first, *more[: LABELS - 2]))
            yield KIND.at(
                project.span(second),
                labels=(Label(span, "the same text") for span in others if span),
                subject=project.subject(second),
                tools=listed(tools),
            )
