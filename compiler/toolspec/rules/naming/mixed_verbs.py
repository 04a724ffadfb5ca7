"""The tools of a service use different verbs for the same action."""

from toolspec.rules.api import (
    SYNONYMS,
    Diagnostics,
    Service,
    Severity,
    Tool,
    at_tools,
    declare,
    listed,
    words_of,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "the tools of `{service}` use {verbs} for the same action",
    "use one of them, and keep the old names as aliases",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each set of synonyms that a service uses as first words."""
    users: dict[str, list[Tool]] = {}
    for tool in service.tools:
        for verb in words_of(tool.name)[:1]:
            users.setdefault(verb, []).append(tool)
    for synonyms in SYNONYMS:
        verbs = sorted(
            (verb for verb in users if verb in synonyms), key=lambda verb: -len(users[verb])
        )
        if len(verbs) > 1:
            yield at_tools(
                service,
                KIND,
                [tool for verb in verbs[1:] for tool in users[verb]],
                label=f"most use `{verbs[0]}`",
                more="and this",
                service=service.name,
                verbs=listed(verbs),
            )
