"""Several tools of a service have the same title."""

from toolspec.rules.api import (
    Diagnostics,
    Label,
    Service,
    Severity,
    Tool,
    declare,
    listed,
    name_span,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{tools} have the title `{title}`",
    "give each tool a title of its own",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each title that several tools share, at the second of them."""
    users: dict[str, dict[str, Tool]] = {}
    for tool in service.tools:
        # By name: versions of one tool are never offered beside each other.
        users.setdefault(tool.title.casefold(), {}).setdefault(tool.name, tool)
    for tools in users.values():
        if len(tools) > 1:
            first, second = list(tools.values())[:2]
            span = name_span(first)
            yield KIND.at(
                name_span(second),
                labels=(Label(span, "the same title"),) if span else (),
                tools=listed(tools),
                title=first.title,
            )
