"""Several tools repeat the same schema."""

from toolspec.rules.api import Diagnostics, Service, Severity, Tool, declare, listed, members

KIND = declare(
    __name__,
    Severity.NOTE,
    "{tools} repeat the same output schema",
    "move it to `$defs` and refer to it",
)
VISITS = Service
SIZE = 3
OFTEN = 3


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic for each result of some size that three tools or more write out alike."""
    alike: dict[tuple[str, ...], list[Tool]] = {}
    for tool in service.tools:
        names = members(tool.output.value)
        if len(names) >= SIZE:
            alike.setdefault(tuple(sorted(names)), []).append(tool)
    for candidates in alike.values():
        first = candidates[0].output.value
        tools = [tool for tool in candidates if tool.output.value == first]
        if len(tools) >= OFTEN:
            location = tools[1].output.location
            span = location.span if location else None
            yield KIND.at(span, tools=listed(tool.name for tool in tools[:5]))
