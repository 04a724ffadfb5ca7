"""Tools of a service spell one parameter in different ways."""

from toolspec.rules.api import (
    Diagnostics,
    Service,
    Severity,
    Tool,
    declare,
    listed,
    members,
    words_of,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{service}` spells one parameter in several ways: {spellings}",
    "use one spelling in all tools of the service",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each parameter with several spellings, at the first tool with a rarer one."""
    spellings: dict[str, dict[str, list[Tool]]] = {}
    for tool in service.tools:
        for name in members(tool.input.value):
            alike = "".join(words_of(name))
            spellings.setdefault(alike, {}).setdefault(name, []).append(tool)
    for users in spellings.values():
        if len(users) > 1:
            names = sorted(users, key=lambda name: -len(users[name]))
            location = users[names[1]][0].input.location
            span = location.at("properties", names[1]).key_span if location else None
            label = f"most tools use `{names[0]}`"
            yield KIND.at(span, label, service=service.name, spellings=listed(names))
