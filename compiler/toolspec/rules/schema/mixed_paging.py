"""The tools of a service use different parameters for paging."""

from toolspec.rules.api import (
    CURSORS,
    OFFSETS,
    PAGES,
    SIZES,
    Diagnostic,
    Diagnostics,
    Service,
    Severity,
    Tool,
    at_tools,
    declare,
    members,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{what} in `{service}` in {count} ways: {ways}",
    "use the same parameters in the whole service, and accept old names as long as they are in use",
)
VISITS = Service
_CONCERNS = (("pages are asked for", PAGES | OFFSETS | CURSORS), ("their size is called", SIZES))


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic at the first tool that differs from the most, for pages and for sizes."""
    for what, paging_names in _CONCERNS:
        tools: dict[tuple[str, ...], list[Tool]] = {}
        for tool in service.tools:
            names = paging_names & members(tool.arguments).keys()
            if names:
                tools.setdefault(tuple(sorted(names)), []).append(tool)
        if len(tools) > 1:
            yield _finding(service, what, tools)


def _finding(service: Service, what: str, tools: dict[tuple[str, ...], list[Tool]]) -> Diagnostic:
    ways = sorted(tools, key=lambda way: -len(tools[way]))
    return at_tools(
        service,
        KIND,
        [tool for way in ways[1:] for tool in tools[way]],
        more="and this",
        what=what,
        service=service.name,
        count=len(ways),
        ways=", ".join(f"`{' + '.join(way)}` ({len(tools[way])})" for way in ways),
    )
