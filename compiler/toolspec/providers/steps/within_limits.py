"""Refuse a strict schema that is larger than the provider compiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.ledger import Entry, Fate
from toolspec.providers.node import Node, every
from toolspec.providers.steps.inline_references import measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "within-limits"


def within_limits(draft: Draft, _: Options) -> Draft:
    """Return the draft, refused as a whole where it breaks a limit of the profile on one schema."""
    if draft.root is None:
        return draft
    limits = draft.profile.limits
    counted = _counts(draft.root)
    found = [
        Entry("", "", Fate.REFUSED, NAME, f"{counted[what]} {what}; the provider takes {most}")
        for what, most in (
            ("properties", limits.properties),
            ("levels", limits.depth),
            ("enum values", limits.enum_values),
            ("characters of names and values", limits.text),
        )
        if most is not None and counted[what] > most
    ]
    return draft.having(draft.root, found[:1])


def _counts(root: Node) -> dict[str, int]:
    listed = [each.value("enum") for each in every(root) if "enum" in each]
    values = [value for each in listed if isinstance(each, list) for value in each]
    names = [name for each in every(root) for name in _names(each)]
    texts = [*names, *(str(value) for value in values)]
    bodies = (root.without("$defs"), *root.named("$defs").values())
    return {
        "properties": sum(len(each.named("properties")) for each in every(root)),
        "levels": max(_levels(each) for each in bodies),
        "enum values": len(values),
        "characters of names and values": sum(map(len, texts)),
    }


def _names(node: Node) -> Iterator[str]:
    yield from node.named("properties")
    yield from node.named("$defs")
    if isinstance(value := node.value("const"), str):
        yield value


def _levels(body: Node) -> int:
    """Return how deep objects and arrays are nested; forms of `anyOf` add nothing."""
    return measure(body)[1]
