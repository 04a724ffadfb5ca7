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
    from toolspec.sinks.json_text import JsonSerializer

THRESHOLD = 1_000_000
"""Number of repeated bytes that causes a note."""
_LINE = "\n" + " " * 10
"""Start of a definition's lines in a manifest: below `tools`, a tool, its schema and `$defs`."""


def check_repetition(
    service: Service, target: str, serializer: JsonSerializer
) -> Iterator[Diagnostic]:
    """Yield a note if the manifest of a service repeats definitions beyond the threshold."""
    copies = _copies(service)
    size = repeated_bytes(service, copies, serializer)
    if size > THRESHOLD:
        # Numbers go into the hint: the fingerprint contains the values of the message and must
        # not change with them.
        yield REPEATED_DEFINITIONS.at(
            (service.location / "name").span if service.location else None,
            subject=Subject(service.name),
            service=service.name,
            target=target,
            count=sum(1 for uses in copies.values() if uses > 1),
            copies=f"{sum(copies.values()):,}",
            size=f"{size / 1e6:.1f}",
        )


def repeated_bytes(service: Service, copies: Counter[str], serializer: JsonSerializer) -> int:
    """Return the bytes of a manifest that are copies of definitions beyond the first of each."""
    size = 0
    for definition in service.definitions:
        more = copies[definition.name] - 1
        if more > 0 and definition.entry is not None:
            text = serializer.text(definition.entry, _LINE)
            name = serializer.text(definition.name)
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
