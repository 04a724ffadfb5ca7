"""A tool as a provider receives it: the definition, and the outcome of each keyword."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.lowering import lower
from toolspec.providers.origin import origin
from toolspec.sinks.terminal import printable, printable_json, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.ir import Service, Tool
    from toolspec.providers.ledger import Entry
    from toolspec.providers.lowering import LoweredTool
    from toolspec.providers.profile import Profile

_HEADS = ("location", "keyword", "outcome", "how", "pointer")


def lowered_json(service: Service, tool: Tool, profile: Profile) -> dict[str, object]:
    """Return a tool lowered for a profile, and the ledger with a source location for each entry."""
    lowered = lower(tool, profile)
    return {
        "tool": tool.names.full,
        "target": profile.name,
        "name": lowered.name,
        "form": form(lowered),
        "notStrict": [_entry(service, tool, entry) for entry in lowered.strict_refusals],
        "description": lowered.description,
        "schema": lowered.schema,
        "ledger": [_entry(service, tool, entry) for entry in lowered.ledger],
        "decode": list(lowered.decode),
    }


def lowered_text(service: Service, tool: Tool, profile: Profile) -> str:
    """Return a lowered tool as text: the definition, then a table of the ledger."""
    lowered = lower(tool, profile)
    lines = [
        f"{tool.names.full} for {profile.title} ({profile.name}, as of {profile.date})",
        f"  name         {printable(lowered.name)}",
        f"  form         {form(lowered)}",
        *(f"               {printable(_why(entry))}" for entry in lowered.strict_refusals),
        "  description",
        *(f"    {printable(line)}" for line in lowered.description.splitlines()),
        "  schema" if lowered.schema is not None else "  schema       none: it has no parameters",
    ]
    if lowered.schema is not None:
        lines += _indented(lowered.schema)
    if lowered.decode:
        lines += ["  decoded by", *_indented(list(lowered.decode))]
    return "\n".join(
        [*lines, "", *_table([_row(service, tool, entry) for entry in lowered.ledger])]
    )


def form(lowered: LoweredTool) -> str:
    """Return the form in which a tool is sent, if any."""
    if lowered.refusals:
        return "left out: it cannot be sent"
    if lowered.strict_refusals:
        return "loose: it has no strict form"
    return "strict" if lowered.is_strict else "loose"


def _why(entry: Entry) -> str:
    return f"{entry.pointer or 'the whole'}: {entry.detail or entry.step}"


def _indented(value: object) -> Iterable[str]:
    return (f"    {line}" for line in printable_json(value).splitlines())


def _entry(service: Service, tool: Tool, entry: Entry) -> dict[str, object]:
    return {
        "pointer": entry.pointer,
        "keyword": entry.keyword,
        "outcome": entry.outcome.value,
        "step": entry.step,
        "detail": entry.detail,
        "location": _location(service, tool, entry),
    }


def _location(service: Service, tool: Tool, entry: Entry) -> str:
    location = origin(service, tool, entry.pointer)
    if location is None:
        return ""
    return f"{location.document.source.path}:{location.key_span.first.line}"


def _row(service: Service, tool: Tool, entry: Entry) -> tuple[str, ...]:
    how = entry.detail if entry.step == "keep" else ": ".join(filter(None, _how(entry)))
    cells = (
        _location(service, tool, entry),
        entry.keyword,
        entry.outcome.value,
        how,
        entry.pointer,
    )
    return tuple(printable(cell) for cell in cells)


def _how(entry: Entry) -> tuple[str, str]:
    return (entry.step, entry.detail)


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows below their headers, each column as wide as its widest cell."""
    widths = [max(map(width, column)) for column in zip(_HEADS, *rows, strict=True)]
    padded = (
        "  ".join(cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True))
        for row in (_HEADS, *rows)
    )
    return [line.rstrip() for line in padded]
