"""Replace `oneOf` by `anyOf`, which is equivalent if the options are disjoint."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.keyword_merging import UnmergeableError
from toolspec.providers.ledger import Outcome
from toolspec.providers.merging import merge
from toolspec.providers.node import Node, Note, rewrite
from toolspec.providers.shapes import disjoint, shape

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "one-of-to-any-of"


def one_of_to_any_of(draft: Draft, _: Options) -> Draft:
    """Return the draft without `oneOf`; widened, and noted, where options may overlap."""
    if draft.root is None or draft.lacks("oneOf"):
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        if "oneOf" not in node:
            return node
        branches = node.many("oneOf")
        shapes = [shape(branch, draft.resolve) for branch in branches]
        origins, rest = node.of("oneOf"), node.without("oneOf")
        if all(disjoint(one, other) for one, other in combinations(shapes, 2)):
            ledger.extend(
                entries(origins, draft.outcome, NAME, "no value matches two of the options")
            )
        else:
            ledger.extend(
                entries(origins, Outcome.WIDENED, NAME, "a value can match two of the options")
            )
            text = "Exactly one of the forms must fit."
            rest = rest.noted(Note(6, text, origins))
        if "anyOf" not in rest:
            return rest.having("anyOf", branches, origins)
        try:
            return merge(rest, Node({"anyOf": branches}, {"anyOf": origins}), ledger)
        except UnmergeableError as problem:
            ledger.extend(entries(origins, Outcome.REFUSED, NAME, str(problem)))
            return node

    return draft.having(rewrite(draft.root, change), ledger)
