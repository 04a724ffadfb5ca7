"""The tools of one service take pages in different ways."""

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
    "settle on one for the whole service, and keep each old name as long as it is in use",
)
VISITS = Service
_CONCERNS = (("pages are asked for", PAGES | OFFSETS | CURSORS), ("their size is called", SIZES))


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic at the first tool that does not do as the most do, for pages and for sizes."""
    for what, known in _CONCERNS:
        tools: dict[tuple[str, ...], list[Tool]] = {}
        for tool in service.tools:
            names = known & members(tool.arguments).keys()
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
        more="nor this",
        what=what,
        service=service.name,
        count=len(ways),
        ways=", ".join(f"`{' + '.join(way)}` ({len(tools[way])})" for way in ways),
    )
