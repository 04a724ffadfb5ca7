"""The tools of a service use different parameters for paging."""

from toolspec.rules.api import (
    POSITIONS,
    Diagnostic,
    Diagnostics,
    PagingRole,
    Service,
    Severity,
    Tool,
    at_tools,
    declare,
    paging_roles,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "the tools of `{service}` name {what} in {count} ways: {ways}",
    "use the same parameters in the whole service, and keep accepting names that are in use",
)
VISITS = Service
_CONCERNS = (("the page", POSITIONS), ("the page size", frozenset({PagingRole.SIZE})))


def check(service: Service) -> Diagnostics:
    """Yield a diagnostic at the first tool that differs from the majority, for pages and for sizes."""
    for what, roles in _CONCERNS:
        tools: dict[tuple[str, ...], list[Tool]] = {}
        for tool in service.tools:
            names = [name for name, role in paging_roles(tool).items() if role in roles]
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
