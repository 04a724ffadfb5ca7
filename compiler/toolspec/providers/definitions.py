"""Definitions reachable by references; others are not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.features import references
from toolspec.providers.node import Members
from toolspec.schema.definitions import definition_in
from toolspec.shared.definitions import reachable
from toolspec.syntax.pointer import format_pointer, parse_fragment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.providers.node import Node


def without_unused(root: Node) -> Node:
    """Return a schema without unreachable definitions."""
    if "$defs" not in root:
        return root
    bodies = root.named("$defs")
    used = reachable(
        _named(root.without("$defs"), bodies), lambda name: _named(bodies[name], bodies)
    )
    if not used:
        return root.without("$defs")
    if len(used) == len(bodies):
        return root
    return root.having("$defs", Members({name: bodies[name] for name in bodies if name in used}))


def location_of(reference: str) -> str | None:
    """Return the pointer of a reference's target; None for a reference out of its schema."""
    if reference[:1] != "#" or reference[1:2] not in {"", "/"}:
        return None
    return format_pointer(parse_fragment(reference[1:]))


def _named(node: Node, bodies: Mapping[str, Node]) -> Iterator[str]:
    """Yield the root's definitions that a node's references lead to, or into."""
    for text in references(node):
        name = definition_in(text) if text.startswith("#/$defs/") else None
        if name is not None and name in bodies:
            yield name
