"""Reject a strict schema that exceeds the provider's limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.node import Node, below, every

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Limits, Options

NAME = "within-limits"


def within_limits(draft: Draft, _: Options, limits: Limits) -> Draft:
    """Return the draft, refused if it exceeds a limit of the profile on one schema."""
    if draft.root is None:
        return draft
    counted = _counts(draft.root)
    counted["characters of one long enum"] = _longest(draft.root, limits.long_enum_values)
    ledger = [
        Entry("", "", Outcome.REFUSED, NAME, f"{counted[what]} {what}; the provider takes {most}")
        for what, most in (
            ("properties", limits.properties),
            ("levels", limits.depth),
            ("enum values", limits.enum_values),
            ("characters of names and values", limits.text),
            ("characters of one long enum", limits.long_enum_text),
        )
        if most is not None and counted[what] > most
    ]
    return draft.having(draft.root, ledger[:1])


def _counts(root: Node) -> dict[str, int]:
    listed = [node.value("enum") for node in every(root) if "enum" in node]
    values = [value for item in listed if isinstance(item, list) for value in item]
    names = [name for node in every(root) for name in _names(node)]
    texts = [*names, *(str(value) for value in values)]
    bodies = (root.without("$defs"), *root.named("$defs").values())
    return {
        "properties": sum(len(node.named("properties")) for node in every(root)),
        "levels": max(_levels(body) for body in bodies),
        "enum values": len(values),
        "characters of names and values": sum(map(len, texts)),
    }


def _names(node: Node) -> Iterator[str]:
    yield from node.named("properties")
    yield from node.named("$defs")
    if isinstance(value := node.value("const"), str):
        yield value


def _levels(body: Node) -> int:
    """Return the nesting depth of objects and arrays; unions and scalars do not count."""
    deepest, stack = 0, [(body, 0)]
    while stack:
        node, depth = stack.pop()
        depth += not {"properties", "items"}.isdisjoint(node.words)
        deepest = max(deepest, depth)
        stack += [(child, depth) for _, _, child in below(node)]
    return deepest


def _longest(root: Node, least: int | None) -> int:
    """Return the characters of the longest `enum` of more than `least` values."""
    listed = [node.value("enum") for node in every(root) if "enum" in node]
    long = [item for item in listed if isinstance(item, list) and len(item) > (least or 0)]
    return max((sum(len(str(value)) for value in enum) for enum in long), default=0)
