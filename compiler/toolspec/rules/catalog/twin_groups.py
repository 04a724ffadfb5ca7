"""Two groups of a service differ only in spelling."""

from toolspec.rules.api import (
    Diagnostics,
    Service,
    Severity,
    Tool,
    declare,
    edits,
    listed,
    plain_words,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "the groups {groups} differ only in spelling",
    "spell both like the first",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each group with two spellings, at the first tool with the second one."""
    users: dict[frozenset[str], dict[str, Tool]] = {}
    for tool in service.tools:
        if tool.group:
            users.setdefault(plain_words(tool.group), {}).setdefault(tool.group, tool)
    for groups in users.values():
        if len(groups) > 1:
            location = list(groups.values())[1].location
            span = location.at("group").span if location else None
            edit = edits.replace_value(location.at("group"), next(iter(groups))) if location else ()
            yield KIND.at(span, fix=edits.fix("spell it as the first", edit), groups=listed(groups))
