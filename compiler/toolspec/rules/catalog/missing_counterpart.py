"""A service creates objects that no tool reads."""

from toolspec.rules.api import (
    Diagnostics,
    Service,
    Severity,
    Tool,
    declare,
    name_span,
    plain_words,
    words_of,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{service}` has `{tool}`, but no tool that reads `{noun}`",
    "add a tool that lists or gets them",
)
VISITS = Service


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each tool that creates an object without a read-only tool about it."""
    shown = {word for tool in service.tools if not tool.mutation for word in _nouns(tool)}
    for tool in service.tools:
        nouns = _nouns(tool)
        verb, *rest = words_of(tool.name)
        is_creating = tool.mutation and verb == "create" and "or" not in rest
        if is_creating and nouns and not nouns & shown:
            noun = "_".join(rest)
            yield KIND.at(name_span(tool), service=service.name, tool=tool.name, noun=noun)


def _nouns(tool: Tool) -> frozenset[str]:
    return plain_words(" ".join(words_of(tool.name)[1:]))
