"""The definitions of a schema that something leads to; the others are not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.features import references
from toolspec.providers.node import Members
from toolspec.syntax.pointer import format_pointer, parse_fragment

if TYPE_CHECKING:
    from toolspec.providers.node import Node


def without_unused(root: Node) -> Node:
    """Return a tree without those of its definitions that nothing leads to."""
    if "$defs" not in root:
        return root
    bodies = root.named("$defs")
    used: set[str] = set()
    waiting = [root.without("$defs")]
    while waiting:
        for text in references(waiting.pop()):
            name = _defined(text)
            if name in bodies and name not in used:
                used.add(name)
                waiting.append(bodies[name])
    if not used:
        return root.without("$defs")
    if len(used) == len(bodies):
        return root
    return root.having("$defs", Members({name: bodies[name] for name in bodies if name in used}))


def place_of(reference: str) -> str | None:
    """Return the pointer of what a reference leads to; None where it is no pointer into its schema."""
    if reference[:1] != "#" or reference[1:2] not in {"", "/"}:
        return None
    return format_pointer(parse_fragment(reference[1:]))


def _defined(reference: str) -> str:
    """Return the name of the definition of the root that a reference leads to, or into."""
    steps = parse_fragment(reference[1:]) if place_of(reference) else ()
    return steps[1] if len(steps) > 1 and steps[0] == "$defs" else ""
