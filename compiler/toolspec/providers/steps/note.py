"""Replace unsupported keywords by sentences of the description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, rewrite
from toolspec.providers.notes import move_to_notes

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "note"
_OTHERS = "additionalProperties"


def note(draft: Draft, options: Options) -> Draft:
    """Return the draft without the `keywords`; each is a sentence for its schema's description.

    A schema below one of them is written whole and unchanged. `patternProperties` is described
    together with `additionalProperties`, and the object is left open: the provider would apply the
    schema for all other names to those that match patterns. With `where: root`, only keywords of
    the root; with `above`, only numbers greater than it.
    """
    if draft.root is None or draft.lacks(*options.words("keywords")):
        return draft
    ledger: list[Entry] = []
    named = frozenset(options.words("keywords"))
    above = options.number("above", -1)
    defined = draft.root.named("$defs")

    def change(node: Node) -> Node:
        words = [word for word in node.words if word in named and _is_over(node, word, above)]
        if not words:
            return node
        if "patternProperties" in words and node.named("patternProperties"):
            words += _opened(node, ledger)
        return move_to_notes(node, words, NAME, ledger, defined)

    if options.text("where") == "root":
        return draft.having(change(draft.root), ledger)
    return draft.having(rewrite(draft.root, change, past=named), ledger)


def _opened(node: Node, ledger: list[Entry]) -> list[str]:
    if node.additional.is_empty:
        return []
    detail = "left open for names that match patterns"
    ledger += entries(node.of(_OTHERS), Outcome.WIDENED, NAME, detail)
    return [_OTHERS]


def _is_over(node: Node, word: str, above: int) -> bool:
    value = node.value(word)
    return above < 0 or not isinstance(value, int) or value > above
