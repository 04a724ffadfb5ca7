"""Keep the formats that the provider supports, and describe the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, rewrite
from toolspec.providers.notes import notes

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "filter-formats"


def filter_formats(draft: Draft, options: Options) -> Draft:
    """Return the draft with only the formats in `formats`."""
    if draft.root is None or draft.lacks("format"):
        return draft
    ledger: list[Entry] = []
    supported = set(options.words("formats"))

    def change(node: Node) -> Node:
        if "format" not in node or str(node.value("format")) in supported:
            return node
        ledger.extend(
            entries(
                node.of("format"), Outcome.MOVED, NAME, "the provider does not support the format"
            )
        )
        return node.without("format").noted(*notes(node, ("format",)))

    return draft.having(rewrite(draft.root, change), ledger)
