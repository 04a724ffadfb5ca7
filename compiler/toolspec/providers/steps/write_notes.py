"""Write what was moved out of keywords into the descriptions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.providers.node import Node, Note, rewrite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "write-notes"


def write_notes(draft: Draft, _: Options) -> Draft:
    """Return the draft with the notes of each schema behind its own description.

    Those of the root are behind the tool's.
    """
    root = draft.root
    if root is None:
        return draft
    text = _text(draft.description, root.notes)
    bare = replace(root, notes=())
    return replace(draft.having(rewrite(bare, _described)), description=text)


def _described(node: Node) -> Node:
    if not node.notes:
        return node
    own = node.value("description")
    text = _text(own if isinstance(own, str) else "", node.notes)
    return replace(node, notes=()).having("description", text)


def _text(own: str, notes: Sequence[Note]) -> str:
    said = dict.fromkeys(note.text for note in sorted(notes, key=lambda each: each.rank))
    return " ".join([*([own] if own else []), *said])
