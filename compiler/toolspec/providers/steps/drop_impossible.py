"""Remove the schema `false`, which no provider supports below the root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import impossible
from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.node import NEVER, Members, Node, every, rewrite
from toolspec.providers.pruning import prune

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "drop-impossible"


def drop_impossible(draft: Draft, _: Options) -> Draft:
    """Return the draft without `false`, except under `additionalProperties` and similar keywords.

    A property that can never be present is removed; in an open object that widens. Refused at the
    root if no value is left.
    """
    if draft.root is None or not any(node.is_never for node in every(draft.root)):
        return draft
    ledger: list[Entry] = []

    root = draft.root
    while gone := _impossible(root := rewrite(root, lambda node: prune(node, NAME, ledger))):
        root = _without(root, gone, ledger)
    if root.is_never:
        ledger.append(Entry("", "", Outcome.REFUSED, NAME, "the schema allows no value"))
        return draft.having(draft.root, ledger)
    return draft.having(root, ledger)


def _impossible(root: Node) -> set[str]:
    """Return the names of definitions that no value satisfies."""
    return {name for name, definition in root.named("$defs").items() if definition.is_never}


def _without(root: Node, gone: set[str], ledger: list[Entry]) -> Node:
    """Return the tree without some definitions; schemas that refer to them become `false`."""
    texts = {f"#/$defs/{name}" for name in gone}
    remaining = {
        name: definition for name, definition in root.named("$defs").items() if name not in gone
    }
    whole = root.having("$defs", Members(remaining)) if remaining else root.without("$defs")

    def change(node: Node) -> Node:
        if node.value("$ref") not in texts:
            return node
        ledger.extend(impossible(node, NAME))
        return NEVER

    return rewrite(whole, change)
