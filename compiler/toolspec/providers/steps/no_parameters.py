"""Write a tool without parameters in the provider's form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, implied, lost
from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.node import Members, Node, Note
from toolspec.providers.notes import move_to_notes
from toolspec.providers.steps.write_notes import write_notes
from toolspec.shared.keywords import ANNOTATIONS
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "no-parameters"
_FIRST = -1
_STRUCTURAL = frozenset({"type", "properties", "additionalProperties", "maxProperties"})


def no_parameters(draft: Draft, options: Options) -> Draft:
    """Return the draft in the profile's form, if the tool's schema allows `{}` only.

    `as` is `omitted` (no schema at all; its description moves to the tool) or `empty` (an object
    with no properties). With `open`, an object that lists no properties and takes any is left out
    as well, for providers that reject empty `properties`. A schema that rejects `{}` is refused.
    """
    root = draft.root
    if root is None or root.named("properties"):
        return draft
    if not root.additional.is_never:
        if not options.flag("open"):
            return draft
        closed = implied(
            root, "additionalProperties", Outcome.NARROWED, NAME, "no properties at all"
        )
        draft = draft.having(root, () if _was_closed(draft) else (closed,))
    if options.text("as") == "omitted":
        return _omitted(draft, root, options)
    return draft.having(root.having("properties", Members({})))


def _was_closed(draft: Draft) -> bool:
    return draft.tool.arguments.get("additionalProperties") is False


def _omitted(draft: Draft, root: Node, options: Options) -> Draft:
    """Return the draft without a schema, and with the root's notes in the tool's description."""
    ledger: list[Entry] = []
    structural = [word for word in root.words if word in _STRUCTURAL]
    ledger += lost(root, structural, draft.outcome, NAME, "a tool without parameters has no schema")
    least = root.value("minProperties")
    if isinstance(least, int) and least > 0:
        detail = "no properties can be sent"
        ledger += entries(root.of("minProperties"), Outcome.REFUSED, NAME, detail)
    text = root.value("description")
    if isinstance(text, str) and text:
        at = root.of("description")
        ledger += entries(at, Outcome.MOVED, NAME, "moved to the description of the tool")
        root = root.without("description").noted(Note(_FIRST, text, at))
    others = [word for word in root.words if word in ANNOTATIONS]
    ledger += lost(root, others, Outcome.DROPPED, NAME, "nothing is left to describe")
    limits = root.words.keys() - {*structural, *others}
    bare = move_to_notes(root.without(*others), limits, NAME, ledger)
    return replace(write_notes(draft.having(bare, ledger), options), root=None)
