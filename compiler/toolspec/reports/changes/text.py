"""Forms `text`, a block for each change, and `short`, a line for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reports.changes import Form
from toolspec.reports.changes.comparison import affected, proof_text, subject
from toolspec.sinks.terminal import printable
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.changes.change import Change
    from toolspec.reports.changes.comparison import Comparison


def render(comparison: Comparison, form: Form) -> str:
    """Return a report of all changes, with the counts of their levels."""
    lines: list[str] = []
    for change in comparison.changes.changes:
        lines.append(f"{comparison.level(change)}[{change.code}] {change.message}")
        if form is Form.TEXT:
            lines += [*(f"  {line}" for line in _details(change, comparison)), ""]
    lines += [comparison.summary, *comparison.remarks]
    return "".join(f"{printable(line)}\n" for line in lines)


def _details(change: Change, comparison: Comparison) -> Iterator[str]:
    readers = affected(change.levels)
    if readers:
        yield f"affects: {readers}"
    place = change.place
    yield f"at: {subject(place)} {format_pointer(place.path)}".rstrip()
    before, now = comparison.locations(change)
    if now and before and now != before:
        yield f"in: {now}, was {before}"
    elif now or before:
        yield f"in: {now}" if now else f"was in: {before}"
    proof = proof_text(change)
    if proof:
        yield proof
    if change.advice:
        yield f"help: {change.advice}"
