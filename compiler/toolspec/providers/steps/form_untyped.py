"""Give a form to schemas that say no type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import implied
from toolspec.providers.ledger import Fate
from toolspec.providers.node import Node, rewrite
from toolspec.providers.shapes import common_type, limited
from toolspec.providers.steps.split_types import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "form-untyped"
_FORMS = frozenset({"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"})
_GUESSES = ("object", "array", "string", "number")


def form_untyped(draft: Draft, options: Options) -> Draft:
    """Return the draft in which every schema says its form.

    One that lists its values gets their type, if they have one. A schema whose keywords are all about
    one type gets that type: narrowed, as other types were
    allowed, except at the root, where arguments always are an object. What says nothing at all is
    refused, or with `as: string` narrowed to strings; with `as: any` it stays, and arrays without
    `items` get the empty schema.
    """
    if draft.root is None:
        return draft
    found: list[Entry] = []
    form = options.text("as", "refuse")

    def says_form(node: Node) -> bool:
        return node.is_never or not _FORMS.isdisjoint(node.words) or form == "any"

    def change(node: Node) -> Node:
        node = _with_type(_with_items(node, change))
        if says_form(node):
            return node
        guess = _guess(node)
        if guess:
            detail = f"only {guess}s, as its keywords are about these"
            found.append(implied(node, "type", Fate.NARROWED, NAME, detail))
            return node.having("type", guess, ())
        if form == "refuse":
            found.append(implied(node, "type", Fate.REFUSED, NAME, "it says no type"))
            return node
        found.append(implied(node, "type", Fate.NARROWED, NAME, f"only {form}s"))
        return node.having("type", form, ())

    root = draft.root if says_form(draft.root) else draft.root.having("type", "object", ())
    return draft.having(rewrite(root, change), found)


def _with_items(node: Node, change: Callable[[Node], Node]) -> Node:
    if "array" not in node.types or {"items", "prefixItems"} & node.words.keys():
        return node
    return node.having("items", change(Node(place=f"{node.place}/items")), ())


def _with_type(node: Node) -> Node:
    if "type" in node or "$ref" in node:
        return node
    stated = common_type(limited(node) or ())
    return node.having("type", stated, ()) if stated else node


def _guess(node: Node) -> str:
    return next((name for name in _GUESSES if not WORDS[name].isdisjoint(node.words)), "")
