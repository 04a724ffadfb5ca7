"""Spell a schema in one way: what is no keyword goes, values once, their type said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Fate
from toolspec.providers.node import Node, rewrite
from toolspec.providers.shapes import key, limited, type_of

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "normalise"


def normalise(draft: Draft, _: Options) -> Draft:
    """Return the draft without `nullable` (2020-12 has no such keyword), with `enum` values once.

    A schema that lists its values and does not say their type gets it, where there is one.
    """
    if draft.root is None:
        return draft
    found: list[Entry] = []

    def change(node: Node) -> Node:
        if "nullable" in node:
            found.extend(
                entries(node.of("nullable"), Fate.DROPPED, NAME, "is no keyword in 2020-12")
            )
            node = node.without("nullable")
        return _typed(_once(node))

    return draft.having(rewrite(draft.root, change), found)


def _once(node: Node) -> Node:
    values = node.value("enum")
    if not isinstance(values, list):
        return node
    once = {key(each): each for each in reversed(values)}
    return node if len(once) == len(values) else node.having("enum", list(reversed(once.values())))


def _typed(node: Node) -> Node:
    values = limited(node)
    if not values or "type" in node:
        return node
    types = {type_of(each) for each in values}
    if types == {"integer", "number"}:
        types = {"number"}
    return node.having("type", types.pop(), ()) if len(types) == 1 else node
