"""The full name of a tool can be read in one way only: the proof, or the counterexample."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.frontend.naming import kinds
from toolspec.frontend.places import name_span
from toolspec.ir import Naming

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Program, Service, Tool

# The grammar of language.md, "The spec language": two names are a reading only if both are legal.
SERVICE_NAME = re.compile(r"[a-z][A-Za-z0-9]*(?:-[a-z0-9]+)*")
TOOL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*")
_IN_SERVICE_NAMES = re.compile(r"[A-Za-z0-9-]*")


def full_name(service: str, tool: str, naming: Naming, wire_name: str, separator: str) -> str:
    """Return the public name of a tool: `service_tool`, or the name as written."""
    if naming is Naming.AS_WRITTEN:
        return wire_name or tool
    return f"{service}{separator}{tool}"


def is_proven(separator: str) -> bool:
    """Whether the join is injective over all legal names, whatever the build holds.

    Let c be the first character of the separator that no service name can hold. In any reading of a
    joined name the service ends as many characters before the first c as c stands from the
    separator's beginning. That place is the same for all readings, so there is one.
    """
    return _IN_SERVICE_NAMES.fullmatch(separator) is None


def prove(program: Program) -> Iterator[Diagnostic]:
    """Yield a counterexample for each full name that has a second reading.

    Names as written are not joined: `collisions` compares each with every other name. Where the
    proof holds nothing is left to look at, as long as every service name keeps to its grammar. Two tools that share a name are one finding, with the places of both.
    """
    if is_proven(program.separator) and all(
        _IN_SERVICE_NAMES.fullmatch(service.name) for service in program.services
    ):
        return
    joined = [pair for pair in program.tools if pair[0].naming is Naming.PREFIXED]
    every = {(service.name, tool.name): tool for service, tool in joined}
    told: set[tuple[str, str]] = set()
    for service, tool in joined:
        others = list(other_readings(service.name, tool.name, program.separator))
        others.sort(key=lambda other: other not in every)
        if others and others[0] not in told:
            told.add((service.name, tool.name))
            yield _counterexample(service, tool, others[0], every.get(others[0]))


def other_readings(service: str, tool: str, separator: str) -> Iterator[tuple[str, str]]:
    """Yield the other pairs of legal names that join to the same name."""
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
        subject=Subject(service.name, tool.names.full, tool.place.pointer if tool.place else ""),
        service=service.name,
        tool=tool.name,
        other_service=other[0],
        other_tool=other[1],
        name=tool.names.full,
    )
