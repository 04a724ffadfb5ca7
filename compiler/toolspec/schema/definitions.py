"""Names of definitions in references, and reachability."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from toolspec.schema.keywords import CONTAINERS
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def definition_in(reference: str) -> str | None:
    """Return the name of the definition that a reference leads to or into, or None.

    The first `$defs` or `definitions` counts: the reference may begin at the root of a document.
    """
    _, _, fragment = reference.partition("#")
    if not fragment.startswith("/"):
        return None
    steps = parse_fragment(fragment)
    return next((name for holder, name in pairwise(steps) if holder in CONTAINERS), None)


def reachable(start: Iterable[str], uses: Callable[[str], Iterable[str]]) -> set[str]:
    """Return the names reachable from some, which are included; `uses` returns the next ones."""
    reached = set(start)
    waiting = list(reached)
    while waiting:
        new = set(uses(waiting.pop())) - reached
        reached |= new
        waiting += new
    return reached
