"""The names of several tools consist of the same words."""

from toolspec.rules.api import (
    Diagnostics,
    Label,
    Service,
    Severity,
    Tool,
    declare,
    listed,
    name_span,
    plain_words_of,
    words_of,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "the names of {tools} consist of the same words",
    "rename one of them to say how it differs",
)
VISITS = Service
_DIRECTIONS = frozenset({"by", "for", "from", "in", "into", "of", "on", "to"})


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each set of words that several names contain in another order."""
    users: dict[frozenset[str], dict[tuple[str, ...], Tool]] = {}
    for tool in service.tools:
        if _DIRECTIONS.intersection(words_of(tool.name)):
            continue
        order = plain_words_of(tool.name)
        users.setdefault(frozenset(order), {}).setdefault(order, tool)
    for tools in users.values():
        if len(tools) > 1:
            first, second, *_ = tools.values()
            span = name_span(first)
            yield KIND.at(
                name_span(second),
                labels=(Label(span, "the same words"),) if span else (),
                tools=listed(user.name for user in tools.values()),
            )
