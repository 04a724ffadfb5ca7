"""Keep an `enum` of strings, and describe any other."""

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

NAME = "fit-enums"


def fit_enums(draft: Draft, _: Options) -> Draft:
    """Return the draft in which every `enum` lists strings, none of them empty.

    Values are never converted to strings: the answer would then not be what the author allows.
    A list of strings loses its empty ones and is narrowed; any other list is described.
    """
    if draft.root is None or draft.lacks("enum"):
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        values = node.value("enum")
        if not isinstance(values, list):
            return node
        texts = [value for value in values if isinstance(value, str) and value]
        if len(texts) == len(values):
            return node
        if texts and all(isinstance(value, str) for value in values):
            detail = "the provider does not accept an empty string in an `enum`"
            ledger.extend(entries(node.of("enum"), Outcome.NARROWED, NAME, detail))
            return node.having("enum", [*texts])
        ledger.extend(entries(node.of("enum"), Outcome.MOVED, NAME))
        return node.without("enum").noted(*notes(node, ("enum",)))

    return draft.having(rewrite(draft.root, change), ledger)
