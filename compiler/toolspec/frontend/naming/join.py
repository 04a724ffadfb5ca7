"""Proves that each full name can be split in one way only, or finds a counterexample."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.frontend.locations import name_span
from toolspec.frontend.naming import kinds
from toolspec.ir import Naming

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Program, Service, Tool

# The grammar of language.md, "The spec language": a split is valid only if both names are legal.
SERVICE_NAME = re.compile(r"[a-z][A-Za-z0-9]*(?:-[a-z0-9]+)*")
TOOL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*")
_IN_SERVICE_NAMES = re.compile(r"[A-Za-z0-9-]*")


def full_name(service: str, tool: str, naming: Naming, wire_name: str, separator: str) -> str:
    """Return the public name of a tool: `service_tool`, or the name as written."""
    if naming is Naming.AS_WRITTEN:
        return wire_name or tool
    return f"{service}{separator}{tool}"


def is_proven(separator: str) -> bool:
    """Return whether joining is injective over all legal names, independent of the build.

    Let c be the first character of the separator that cannot occur in a service name. In any split
    of a joined name, the distance from the end of the service to the first c equals the position of
    c in the separator. So all splits have the same position, and there is one.
    """
    return _IN_SERVICE_NAMES.fullmatch(separator) is None


def prove(program: Program) -> Iterator[Diagnostic]:
    """Yield a counterexample for each full name that can be split in a second way.

    Names as written are not joined: `collisions` compares each with every other name. If the proof
    holds, there is nothing left to check as long as every service name is legal. Two tools that
    share a name are one diagnostic, with both locations.
    """
    joined = [pair for pair in program.tools if pair[0].naming is Naming.PREFIXED]
    if all(
        is_proven(_separator(service)) and _IN_SERVICE_NAMES.fullmatch(service.name)
        for service in program.services
        if service.naming is Naming.PREFIXED
    ):
        return
    every = {(service.name, tool.name): tool for service, tool in joined}
    reported: set[tuple[str, str]] = set()
    for service, tool in joined:
        others = list(other_readings(service.name, tool.name, _separator(service)))
        others.sort(key=lambda other: other not in every)
        if others and others[0] not in reported:
            reported.add((service.name, tool.name))
            yield _counterexample(service, tool, others[0], every.get(others[0]))


def _separator(service: Service) -> str:
    return service.names.prefix.removeprefix(service.name)


def other_readings(service: str, tool: str, separator: str) -> Iterator[tuple[str, str]]:
    """Yield the other pairs of legal names that join to the same full name."""
    full = f"{service}{separator}{tool}"
    at = full.find(separator)
    while at >= 0:
        left, right = full[:at], full[at + len(separator) :]
        if at != len(service) and SERVICE_NAME.fullmatch(left) and TOOL_NAME.fullmatch(right):
            yield left, right
        at = full.find(separator, at + 1)


def _counterexample(
    service: Service, tool: Tool, other: tuple[str, str], twin: Tool | None
) -> Diagnostic:
    span = name_span(twin) if twin else None
    return kinds.AMBIGUOUS_JOIN.at(
        name_span(tool),
        f"`{service.name}` + `{tool.name}`",
        labels=[Label(span, f"`{other[0]}` + `{other[1]}`")] if span else (),
        subject=Subject(
            service.name, tool.names.full, tool.location.pointer if tool.location else ""
        ),
        service=service.name,
        tool=tool.name,
        other_service=other[0],
        other_tool=other[1],
        name=tool.names.full,
    )
