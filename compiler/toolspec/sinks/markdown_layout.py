"""Layout of Markdown pages: blocks, lists, tables and sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def blocks(*parts: str) -> str:
    """Return the non-empty parts as blocks of one text."""
    return "\n\n".join(filter(None, parts))


def bullets(items: Iterable[str]) -> str:
    """Return the items as a list; empty for no items."""
    return "\n".join(f"- {item}" for item in items)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as a table; empty for no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join((f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *lines))


def section(title: str, *parts: str) -> str:
    """Return the parts under a heading; empty if all parts are."""
    body = blocks(*parts)
    return blocks(title, body) if body else ""
