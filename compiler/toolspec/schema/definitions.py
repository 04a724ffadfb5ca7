"""Definitions that references lead to, by name."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from toolspec.schema.keywords import CONTAINERS
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def definition_in(reference: str) -> str | None:
    """Return the name of the definition that a reference leads to or into; None if to none.

    The first `$defs` or `definitions` counts: the reference may begin at the root of a document.
    """
    _, _, fragment = reference.partition("#")
    if not fragment.startswith("/"):
        return None
    steps = parse_fragment(fragment)
    return next((name for holder, name in pairwise(steps) if holder in CONTAINERS), None)


def reachable(start: Iterable[str], uses: Callable[[str], Iterable[str]]) -> set[str]:
    """Return the names that are reached from some, which are among them; `uses` returns the next ones."""
    reached = set(start)
    waiting = list(reached)
    while waiting:
        new = set(uses(waiting.pop())) - reached
        reached |= new
        waiting += new
    return reached
