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
    "the tools of `{service}` name {what} in {count} ways: {ways}",
    "use the same parameters in the whole service, and keep accepting names that are in use",
)
VISITS = Service
_CONCERNS = (("the page", PAGES | OFFSETS | CURSORS), ("the page size", SIZES))


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic at the first tool that differs from the majority, for pages and for sizes."""
    for what, paging_names in _CONCERNS:
        tools: dict[tuple[str, ...], list[Tool]] = {}
        for tool in service.tools:
            names = paging_names & members(tool.arguments).keys()
            if names:
                tools.setdefault(tuple(sorted(names)), []).append(tool)
        if len(tools) > 1:
            yield _report(service, what, tools)


def _report(service: Service, what: str, tools: dict[tuple[str, ...], list[Tool]]) -> Diagnostic:
    variants = sorted(tools, key=lambda variant: -len(tools[variant]))
    return at_tools(
        service,
        KIND,
        [tool for variant in variants[1:] for tool in tools[variant]],
        more="and this",
        what=what,
        service=service.name,
        count=len(variants),
        ways=", ".join(f"`{' + '.join(variant)}` ({len(tools[variant])})" for variant in variants),
    )
