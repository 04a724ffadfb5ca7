"""Replace exclusive bounds by inclusive ones."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, rewrite
from toolspec.providers.notes import notes

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "inclusive-bounds"
_BOUNDS = (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1))


def inclusive_bounds(draft: Draft, _: Options) -> Draft:
    """Return the draft without exclusive bounds: the next whole number for integers.

    For other numbers the bound itself is accepted: widened, and noted.
    """
    if draft.root is None or draft.lacks("exclusiveMinimum", "exclusiveMaximum"):
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        for exclusive, inclusive, side in _BOUNDS:
            bound = node.value(exclusive)
            if isinstance(bound, (int, float)) and not isinstance(bound, bool):
                node = _included(draft, node, (exclusive, inclusive, side), ledger)
        return node

    return draft.having(rewrite(draft.root, change), ledger)


def _included(draft: Draft, node: Node, words: tuple[str, str, int], ledger: list[Entry]) -> Node:
    exclusive, inclusive, side = words
    bound, other = node.value(exclusive), node.value(inclusive)
    assert isinstance(bound, (int, float))
    origins = node.of(exclusive)
    if node.types == ("integer",):
        bound = floor(bound) + 1 if side > 0 else ceil(bound) - 1
        ledger += entries(origins, draft.outcome, NAME, f"written as `{inclusive}`")
    else:
        ledger += entries(origins, Outcome.WIDENED, NAME, "the bound itself is accepted")
        node = node.noted(*notes(node, (exclusive,)))
    if isinstance(other, (int, float)):
        bound = max(bound, other) if side > 0 else min(bound, other)
    return node.without(exclusive).having(inclusive, bound, (*node.of(inclusive), *origins))
