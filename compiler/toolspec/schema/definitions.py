"""Names of referenced definitions."""

from __future__ import annotations

from itertools import pairwise

from toolspec.schema.keywords import CONTAINERS
from toolspec.syntax.pointer import parse_fragment


def definition_in(reference: str) -> str | None:
    """Return the name of the definition that is or contains the target of a reference, or None.

    The first `$defs` or `definitions` counts: the reference may begin at the root of a document.
    """
    _, _, fragment = reference.partition("#")
    if not fragment.startswith("/"):
        return None
    steps = parse_fragment(fragment)
    return next((name for holder, name in pairwise(steps) if holder in CONTAINERS), None)
