"""Say keywords in the description that the provider does not take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import lost
from toolspec.providers.ledger import Fate
from toolspec.providers.node import Node, rewrite
from toolspec.providers.sentences import notes

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "note"


def note(draft: Draft, options: Options) -> Draft:
    """Return the draft without the `keywords`; each is a sentence for its schema's description.

    With `where: root` those of the root only. With `above` only numbers over that count.
    """
    if draft.root is None or draft.lacks(*options.words("keywords")):
        return draft
    found: list[Entry] = []
    named = set(options.words("keywords"))
    above = options.number("above", -1)

    def change(node: Node) -> Node:
        words = [word for word in node.words if word in named and _is_over(node, word, above)]
        if not words:
            return node
        found.extend(lost(node, words, Fate.MOVED, NAME))
        return node.without(*words).noted(*notes(node, words))

    if options.text("where") == "root":
        return draft.having(change(draft.root), found)
    return draft.having(rewrite(draft.root, change), found)


def _is_over(node: Node, word: str, above: int) -> bool:
    value = node.value(word)
    return above < 0 or not isinstance(value, int) or value > above
