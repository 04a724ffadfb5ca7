"""Write the collected sentences into the descriptions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.node import Node, Note, every, rewrite
from toolspec.shared.keywords import ANNOTATIONS
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "write-notes"
_GONE = frozenset({Outcome.DROPPED, Outcome.WIDENED})


def write_notes(draft: Draft, _: Options) -> Draft:
    """Return the draft with the notes of each schema after its description.

    Those of the root are appended to the tool's. Sentences that the author's description contains
    are not repeated. A keyword counts as moved only if a note contains it.
    """
    root = draft.root
    if root is None:
        return draft
    described = {at for node in every(root) for note in node.notes for at in note.origins}
    text = _text(draft.description, root.notes)
    changed = draft.having(rewrite(replace(root, notes=()), _described))
    entries = tuple(undescribed(changed.entries, described, "no sentence describes it"))
    return replace(changed, description=text, written_notes=root.notes, entries=entries)


def undescribed(
    entries: Iterable[Entry], described: Collection[str], detail: str
) -> Iterable[Entry]:
    """Yield the entries, and change those of keywords that no description contains.

    A keyword whose sentence was lost with its schema has the schema's outcome.
    """
    entries = tuple(entries)
    gone = {entry.pointer for entry in entries if entry.outcome in _GONE}
    for entry in entries:
        if entry.outcome is not Outcome.MOVED or entry.pointer in described:
            yield entry
        elif entry.pointer not in gone:
            outcome = Outcome.DROPPED if entry.keyword in ANNOTATIONS else Outcome.WIDENED
            yield replace(entry, outcome=outcome, detail=detail)


def contains(text: str, sentence: str) -> bool:
    """Return whether a text contains a sentence, ignoring case and the full stop."""
    pattern = re.escape(sentence.rstrip(".").casefold())
    return re.search(rf"(?<!\w){pattern}(?!\w|[.,]\d)", text.casefold()) is not None


def _described(node: Node) -> Node:
    if not node.notes:
        return node
    own = node.value("description")
    text = _text(own if isinstance(own, str) else "", node.notes)
    return replace(node, notes=()).having("description", text)


def _text(own: str, notes: Sequence[Note]) -> str:
    sentences = dict.fromkeys(note.text for note in sorted(notes, key=lambda note: note.rank))
    return " ".join(
        [
            *([own] if own else []),
            *(sentence for sentence in sentences if not contains(own, sentence)),
        ]
    )
