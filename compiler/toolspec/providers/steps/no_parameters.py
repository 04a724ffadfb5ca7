"""Spell a tool without parameters as the provider wants it (A20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import lost
from toolspec.providers.node import Members

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "no-parameters"


def no_parameters(draft: Draft, options: Options) -> Draft:
    """Return the draft of a tool whose schema allows `{}` only as the profile spells that.

    `as` is `omitted` (no schema at all) or `empty` (an object with no properties).
    """
    root = draft.root
    if root is None or root.named("properties") or not root.additional.is_never:
        return draft
    if options.text("as") == "omitted":
        found = lost(root, root.words, draft.fate, NAME, "a tool without parameters has no schema")
        return draft.having(None, found)
    return draft.having(root.having("properties", Members({})))
