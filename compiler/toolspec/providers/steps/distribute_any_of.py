"""Copy the keywords beside an `anyOf` into each of its options, so that each is complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, impossible
from toolspec.providers.features import refuses
from toolspec.providers.keyword_merging import UnmergeableError
from toolspec.providers.ledger import Outcome
from toolspec.providers.merging import merge
from toolspec.providers.node import NEVER, Node, rewrite
from toolspec.providers.steps.inline_references import unrolled
from toolspec.providers.steps.merge_all_of import Merging
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "distribute-any-of"
_ASIDE = frozenset({"anyOf", "$defs"})


def distribute_any_of(draft: Draft, _: Options) -> Draft:
    """Return the draft with nothing but annotations next to `anyOf`.

    Closing an object or requiring all its properties is only correct once an option is complete.
    Refused where an option and its siblings cannot be merged into one schema.
    """
    if draft.root is None or draft.lacks("anyOf"):
        return draft
    ledger: list[Entry] = []
    merging = Merging(draft, draft.root, is_kept=True)

    def change(node: Node) -> Node:
        beside = node.only([word for word in node.words if refuses(word) and word not in _ASIDE])
        if "anyOf" not in node or not beside.words:
            return node
        shared = replace(beside, notes=(), coding=())
        try:
            branches = [
                merge(shared, unrolled(draft, branch, ledger), ledger, merging.resolved)
                for branch in node.many("anyOf")
            ]
            whole = [change(branch) for branch in branches]
        except UnmergeableError as problem:
            ledger.extend(entries(node.of("anyOf"), Outcome.REFUSED, NAME, str(problem)))
            return node
        possible = tuple(branch for branch in whole if not branch.is_never)
        if not possible:
            ledger.extend(impossible(node, NAME))
            return NEVER
        return node.without(*shared.words).having("anyOf", possible)

    return draft.having(rewrite(draft.root, change), (*ledger, *merging.ledger))
