"""Take out the schema `false`, which no provider understands below the root (A25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Entry, Fate
from toolspec.providers.node import Node, every, rewrite
from toolspec.providers.pruning import prune

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "drop-impossible"


def drop_impossible(draft: Draft, _: Options) -> Draft:
    """Return the draft without `false` but under `additionalProperties` and the like.

    A property that can never be given goes; in an open object that widens. Refused at the root if
    nothing is left.
    """
    if draft.root is None or not any(node.is_never for node in every(draft.root)):
        return draft
    found: list[Entry] = []

    def on_open(node: Node, name: str) -> None:
        detail = f"`{name}` can no longer be forbidden"
        found.extend(entries(node.of("properties"), Fate.WIDENED, NAME, detail))

    root = rewrite(draft.root, lambda node: prune(node, on_open))
    if root.is_never:
        found.append(Entry("", "", Fate.REFUSED, NAME, "no value is left that the schema allows"))
        return draft.having(draft.root, found)
    return draft.having(root, found)
