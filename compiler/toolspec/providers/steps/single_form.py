"""Replace a combinator of one option by that option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.features import refuses
from toolspec.providers.keyword_merging import UnmergeableError
from toolspec.providers.merging import merge
from toolspec.providers.node import Node, rewrite
from toolspec.providers.steps.drop_impossible import drop_impossible
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "single-form"
# These depend on the keywords of an option, whether it is in a union or not.
_LATER = ("unevaluatedProperties", "unevaluatedItems")


def single_form(draft: Draft, options: Options) -> Draft:
    """Return the draft in which `anyOf` and `oneOf` have several options, all of them satisfiable.

    Siblings of a single option are merged into it. A reference keeps its siblings separate.
    """
    while (merged := _merged(draft)) is not draft:
        # A merged option may be unsatisfiable, and then leave one option in a union further up.
        draft = drop_impossible(merged, options)
    return draft


def _merged(draft: Draft) -> Draft:
    """Return the draft without unions of one option; the same object where none can be merged."""
    if draft.root is None or draft.lacks("anyOf", "oneOf"):
        return draft
    ledger: list[Entry] = []
    merged: list[Node] = []

    def change(node: Node) -> Node:
        for word in ("anyOf", "oneOf"):
            if len(node.many(word)) == 1 and (single := _alone(node, word, ledger)) is not None:
                ledger.extend(entries(node.of(word), draft.outcome, NAME, "it has one option"))
                node = single
                merged.append(single)
        return node

    root = rewrite(draft.root, change)
    return draft.having(root, ledger) if merged else draft


def _alone(node: Node, word: str, ledger: list[Entry]) -> Node | None:
    """Return the only option merged with its siblings; None where they cannot be merged."""
    (form,), around = node.many(word), node.without(word)
    if "$ref" in form and (around.words or around.notes):
        return None
    if not any(map(refuses, around.words)):
        return annotated(form, around)
    added: list[Entry] = []
    later = [keyword for keyword in _LATER if keyword in around]
    try:
        merged = merge(around.without(*later), form, added)
    except UnmergeableError:
        return None
    ledger += added
    for keyword in later:
        merged = merged.having(keyword, around.words[keyword], around.of(keyword))
    return merged


def annotated(form: Node, around: Node) -> Node:
    """Return an option with the annotations around it, which take precedence."""
    origins = {word: (*form.of(word), *around.of(word)) for word in {**form.words, **around.words}}
    return replace(
        form,
        words={**form.words, **around.words},
        origins=origins,
        location=around.location or form.location,
        notes=(*form.notes, *around.notes),
        coding=(*form.coding, *around.coding),
    )
