"""Spell a tool without parameters as the provider wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import implied, lost
from toolspec.providers.ledger import Fate
from toolspec.providers.node import Members

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "no-parameters"


def no_parameters(draft: Draft, options: Options) -> Draft:
    """Return the draft of a tool whose schema allows `{}` only as the profile spells that.

    `as` is `omitted` (no schema at all) or `empty` (an object with no properties). With `open` an object
    that takes any properties and names none is left out, too, where an empty list of them is refused.
    """
    root = draft.root
    if root is None or root.named("properties"):
        return draft
    if not root.additional.is_never:
        if not options.flag("open"):
            return draft
        closed = implied(root, "additionalProperties", Fate.NARROWED, NAME, "no properties at all")
        draft = draft.having(root, () if _was_closed(draft) else (closed,))
    if options.text("as") == "omitted":
        found = lost(root, root.words, draft.fate, NAME, "a tool without parameters has no schema")
        return draft.having(None, found)
    return draft.having(root.having("properties", Members({})))


def _was_closed(draft: Draft) -> bool:
    return draft.tool.arguments.get("additionalProperties") is False
