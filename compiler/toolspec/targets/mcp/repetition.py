"""Check for definitions that a manifest repeats, as the protocol cannot share them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.targets.mcp.kinds import REPEATED_DEFINITIONS
from toolspec.targets.versions import answering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service
    from toolspec.targets.target import EmitRequest

THRESHOLD = 1_000_000
"""Number of repeated bytes that causes a note."""
_LINE = "\n" + " " * 10
"""Start of a definition's lines in a manifest: below `tools`, a tool, its schema and `$defs`."""


def check_repetition(request: EmitRequest, target: str) -> Iterator[Diagnostic]:
    """Yield a note for each service whose manifest repeats definitions beyond the threshold."""
    for service in request.program.services:
        copies = _copies(service)
        size = repeated_bytes(service, copies, request)
        if size > THRESHOLD:
            # Numbers go into the hint: the fingerprint contains the values of the message and must
            # not change with them.
            yield REPEATED_DEFINITIONS.at(
                (service.place / "name").span if service.place else None,
                subject=Subject(service.name),
                service=service.name,
                target=target,
                count=sum(1 for uses in copies.values() if uses > 1),
                copies=f"{sum(copies.values()):,}",
                size=f"{size / 1e6:.1f}",
            )


def repeated_bytes(service: Service, copies: Counter[str], request: EmitRequest) -> int:
    """Return the bytes of a manifest that are copies of definitions beyond the first of each."""
    size = 0
    for definition in service.definitions:
        more = copies[definition.name] - 1
        if more > 0 and definition.entry is not None:
            text = request.speller.text(definition.entry, _LINE)
            name = request.speller.text(definition.name)
            size += more * (len(_LINE) + len(name) + len(": ,") + len(text) - len("\n\n"))
    return size


def _copies(service: Service) -> Counter[str]:
    """Return the number of copies of each definition in the manifest's schemas."""
    return Counter(
        name
        for tool in answering(service.tools)
        for schema in (tool.input, tool.output)
        for _, name in schema.shared
    )
