"""Leave only `type`, `properties` and `required` at the root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import lost
from toolspec.providers.ledger import Outcome
from toolspec.providers.notes import move_to_notes
from toolspec.shared.keywords import ANNOTATIONS
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "strip-root"
_OTHERS = "additionalProperties"
_LEFT = frozenset({"type", "properties", "required"})


def strip_root(draft: Draft, _: Options) -> Draft:
    """Return the draft with a bare root, and its constraints in the tool's description.

    The root's description becomes the tool's where that has none.
    """
    root = draft.root
    if root is None:
        return draft
    gone = [word for word in root.words if word not in _LEFT]
    limits = [word for word in gone if word not in ANNOTATIONS and word != _OTHERS]
    ledger: list[Entry] = []
    bare = move_to_notes(root, limits, NAME, ledger)
    ledger += lost(root, ANNOTATIONS & set(gone), Outcome.DROPPED, NAME)
    outcome = Outcome.DROPPED if root.additional.is_empty else Outcome.WIDENED
    ledger += lost(root, {_OTHERS}, outcome, NAME)
    description = draft.description or str(root.value("description") or "")
    return replace(draft.having(bare.without(*gone), ledger), description=description)
