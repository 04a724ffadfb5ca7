"""How a page of Markdown is laid out: blocks with a blank line between them, and what is made of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def blocks(*parts: str) -> str:
    """Return the parts that hold anything as blocks of one text."""
    return "\n\n".join(filter(None, parts))


def bullets(items: Iterable[str]) -> str:
    """Return the items as a list, one a line; nothing for none."""
    return "\n".join(f"- {item}" for item in items)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as a table; nothing for none."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join((f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *lines))


def section(title: str, *parts: str) -> str:
    """Return the parts under a heading; nothing where no part holds anything."""
    held = blocks(*parts)
    return blocks(title, held) if held else ""
