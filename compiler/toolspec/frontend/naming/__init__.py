"""Names of a program, assigned in one place and checked for collisions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.frontend.naming.collisions import claims, find_collisions
from toolspec.frontend.naming.identifiers import (
    class_stem,
    identifier,
    method_name,
    module_name,
    pascal_case,
    snake_case,
)
from toolspec.frontend.naming.join import full_name, prove
from toolspec.ir import Naming, Program, ServiceNames, ToolNames
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service, Tool


def name_program(services: Sequence[Service], separator: str = "_") -> Checked[Program]:
    """Return the program of these services, sorted by name, with all names assigned.

    Reports names that are too long, that collide, or that can be split in two ways (language.md,
    "Names").
    """
    ordered = sorted(services, key=lambda service: service.name)
    program = Program(tuple(_named(service, separator) for service in ordered), separator)
    return Checked(program, tuple(check_names(program.services)))


def check_names(services: Iterable[Service]) -> Iterator[Diagnostic]:
    """Yield the diagnostics about the names of services that `name_program` named."""
    well_named = _well_named(sorted(services, key=lambda service: service.name))
    program = Program(tuple(well_named))
    yield from prove(program)
    yield from find_collisions(program)


def _well_named(services: Iterable[Service]) -> Iterator[Service]:
    """Yield the services without an error in their name, with only such tools."""
    for service in services:
        if service.broken.isdisjoint(("name", "naming")):
            names = ("name", "version", "wire_name")
            tools = (tool for tool in service.tools if tool.broken.isdisjoint(names))
            yield replace(service, tools=tuple(tools)) if has_broken(service) else service


def has_broken(service: Service) -> bool:
    """Return whether a part of a service is broken."""
    return bool(service.broken) or any(tool.broken for tool in service.tools)


def tool_names(full: str, tool: str, version: str = "") -> ToolNames:
    """Return the names of the tool with this full name.

    With a `version` the Python names include it: `search` of version 1.0 gives the method
    `search_v1_0` and the stem `SearchV1_0`. The full name never does.
    """
    if not version:
        return ToolNames(full, method_name(tool), pascal_case(tool))
    suffix = identifier(f"v{version}")
    method = identifier(f"{snake_case(tool)}_{suffix}")
    return ToolNames(full, method, f"{pascal_case(tool)}V{suffix[1:]}")


def _named(service: Service, separator: str) -> Service:
    """Return the service with names.

    A tool with a unique name has plain names. Among several versions of one name each versioned
    tool includes its version, so that a further version does not change the methods of others.
    """
    count = Counter(tool.name for tool in service.tools)

    def name(tool: Tool) -> Tool:
        version = tool.version if count[tool.name] > 1 else ""
        full = full_name(service.name, tool.name, service.naming, tool.wire_name, separator)
        return replace(tool, names=tool_names(full, tool.name, version))

    prefix = f"{service.name}{separator}" if service.naming is Naming.PREFIXED else ""
    names = ServiceNames(module_name(service.name), class_stem(service.name), prefix)
    return replace(service, names=names, tools=tuple(name(tool) for tool in service.tools))


__all__ = ["check_names", "claims", "name_program", "tool_names"]
