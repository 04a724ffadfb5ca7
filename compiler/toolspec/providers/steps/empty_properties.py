"""Leave out empty `properties`, which some providers reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, rewrite

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "empty-properties"


def empty_properties(draft: Draft, _: Options) -> Draft:
    """Return the draft without empty `properties`, which reject no value."""
    if draft.root is None or draft.lacks("properties"):
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        if "properties" not in node or node.named("properties"):
            return node
        ledger.extend(entries(node.of("properties"), Outcome.DROPPED, NAME, "it is empty"))
        return node.without("properties")

    return draft.having(rewrite(draft.root, change), ledger)
