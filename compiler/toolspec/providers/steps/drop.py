"""Leave out keywords that the provider does not use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import lost
from toolspec.providers.features import is_known
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, rewrite
from toolspec.shared.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "drop"
_NAMING = frozenset({"$schema", "$id", "$anchor", "$vocabulary"})


def drop(draft: Draft, options: Options) -> Draft:
    """Return the draft without the `keywords`; with `unknown`, without any that 2020-12 lacks.

    With `where: root`, only those of the root. Dropping one that rejects values widens.
    """
    named = set(options.words("keywords"))
    unknown = options.flag("unknown")
    if draft.root is None or not any(
        word in named or (unknown and not is_known(word)) for word in draft.words
    ):
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        gone = [word for word in node.words if word in named or (unknown and not is_known(word))]
        for word in gone:
            harmless = word in ANNOTATIONS or word in _NAMING or not is_known(word)
            harmless = harmless or (word == "additionalProperties" and node.additional.is_empty)
            ledger.extend(
                lost(node, (word,), Outcome.DROPPED if harmless else Outcome.WIDENED, NAME)
            )
        return node.without(*gone)

    if options.text("where") == "root":
        return draft.having(change(draft.root), ledger)
    return draft.having(rewrite(draft.root, change), ledger)
