"""Hook uses of a service, checked without generating Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.targets.python import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Hooks, Service
    from toolspec.targets.target import EmitContext


def roles(hooks: Hooks) -> Iterator[tuple[str, str]]:
    """Yield every use of a hook as (role, name), in the order in which roles run."""
    for role, names in (
        ("before", hooks.before),
        ("middleware", hooks.middleware),
        ("after", hooks.after),
        ("afterResponse", hooks.after_response),
    ):
        for hook in names:
            yield role, hook


def hook_uses(service: Service) -> Iterator[tuple[str, str]]:
    """Yield every use of a hook in a service and its tools, as (role, name)."""
    yield from roles(service.hooks)
    for tool in service.tools:
        yield from roles(tool.hooks)


def check_service(service: Service, _: EmitContext) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each hook that is used in a second role."""
    first: dict[str, str] = {}
    reported: set[str] = set()
    for role, hook in hook_uses(service):
        if first.setdefault(hook, role) != role and hook not in reported:
            reported.add(hook)
            span = service.location.span if service.location else None
            subject = Subject(service=service.name)
            yield kinds.HOOK_ROLE.at(
                span, subject=subject, hook=hook, first=first[hook], second=role
            )
