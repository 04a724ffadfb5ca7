"""Add a type to schemas without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, implied
from toolspec.providers.features import refuses
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import NEVER, Node, rewrite
from toolspec.providers.shapes import ALL, common_type, limited
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
    """Return the draft in which every schema has a type or a combinator.

    One that lists its values gets their type, if they have one. A schema whose keywords, including
    those moved to notes, all concern one type gets that type: narrowed, as other types were
    allowed, except at the root, where arguments always are an object. A schema without any keyword
    is refused, or with `as: string` narrowed to strings, or to the values its `not` leaves; with
    `as: any` it stays, and arrays without `items` get the empty schema.
    """
    if draft.root is None:
        return draft
    ledger: list[Entry] = []
    form = options.text("as", "refuse")

    def says_form(node: Node) -> bool:
        return node.is_never or not _FORMS.isdisjoint(node.words) or form == "any"

    def change(node: Node) -> Node:
        node = _with_type(_with_items(node, change, ledger))
        if says_form(node):
            return node
        sources = (node, *(note.schema for note in node.notes if note.schema))
        words = {word for source in sources for word in source.words}
        guesses = [name for name in _GUESSES if not WORDS[name].isdisjoint(words)]
        others = [] if form == "refuse" else [form, *reversed(_GUESSES)]
        refused = {name for source in sources for name in _accepted(source.one("not") or NEVER)}
        chosen = next((name for name in (*guesses, *others) if name not in refused), "")
        if not chosen:
            ledger.append(implied(node, "type", Outcome.REFUSED, NAME, "it has no type"))
            return node
        why = ", as its keywords are about these" if chosen in guesses else ""
        ledger.append(implied(node, "type", Outcome.NARROWED, NAME, f"only {chosen}s{why}"))
        return _with_items(node.having("type", chosen, ()), change, ledger)

    root = draft.root if says_form(draft.root) else draft.root.having("type", "object", ())
    return draft.having(rewrite(root, change), ledger)


def _with_items(node: Node, change: Callable[[Node], Node], ledger: list[Entry]) -> Node:
    if "array" not in node.types or {"items", "prefixItems"} & node.words.keys():
        return node
    ledger += entries(
        node.of("unevaluatedItems"), Outcome.WIDENED, NAME, "`items` accepts any item"
    )
    return node.having("items", change(Node(location=f"{node.location}/items")), ())


def _with_type(node: Node) -> Node:
    if "type" in node or "$ref" in node:
        return node
    stated = common_type(limited(node) or ())
    return node.having("type", stated, ()) if stated else node


def _accepted(node: Node) -> frozenset[str]:
    """Return the types whose values a schema evidently accepts without exception."""
    if node.is_never or node.notes:
        return frozenset()
    limits = {word for word in node.words if refuses(word)}
    if limits == {"anyOf"}:
        return frozenset().union(*map(_accepted, node.many("anyOf")))
    if limits == {"type"}:
        return frozenset(node.types) | ({"integer"} if "number" in node.types else set())
    return frozenset() if limits else ALL
