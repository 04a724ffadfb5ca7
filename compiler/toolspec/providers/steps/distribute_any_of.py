"""Say in every form of `anyOf` what stands beside it, so that each form is whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Fate
from toolspec.providers.merging import UnmergeableError, merge
from toolspec.providers.node import NEVER, Node, rewrite
from toolspec.schema.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "distribute-any-of"


def distribute_any_of(draft: Draft, _: Options) -> Draft:
    """Return the draft with nothing but annotations beside `anyOf`.

    Closing an object or requiring all its properties is only right once a form is whole. Refused where
    a form and what stands beside it cannot be said in one schema.
    """
    if draft.root is None:
        return draft
    found: list[Entry] = []

    def change(node: Node) -> Node:
        beside = node.without("anyOf", "$defs", *ANNOTATIONS)
        if "anyOf" not in node or not beside.words:
            return node
        shared = replace(beside, notes=(), coding=())
        try:
            branches = [merge(shared, draft.resolved(each), found) for each in node.many("anyOf")]
            whole = [change(each) for each in branches]
        except UnmergeableError as problem:
            found.extend(entries(node.of("anyOf"), Fate.REFUSED, NAME, str(problem)))
            return node
        left = tuple(each for each in whole if not each.is_never)
        return node.without(*shared.words).having("anyOf", left) if left else NEVER

    return draft.having(rewrite(draft.root, change), found)
