"""Require every property, and let the optional ones be null."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, implied
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Members, Node, rewrite
from toolspec.providers.shapes import types_of

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "require-nullable"


def require_nullable(draft: Draft, _: Options) -> Draft:
    """Return the draft in which objects require all their properties; null means absent.

    The decode map removes such a null, also where the author allows null itself.
    """
    if draft.root is None:
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        node = _requiring_properties(node, ledger)
        properties = node.named("properties")
        optional = [name for name in properties if name not in node.required]
        if not optional:
            is_silent = "properties" in node and "required" not in node
            return node.having("required", [], ()) if is_silent else node
        both = [name for name in optional if "null" in types_of(properties[name], draft.resolve)]
        detail = f"null means missing: {', '.join(optional)}"
        if both:
            detail += f"; null as a value is lost: {', '.join(both)}"
        at = node.of("required")
        ledger.extend(
            entries(at, Outcome.ENCODED, NAME, detail)
            if at
            else [implied(node, "required", Outcome.ENCODED, NAME, detail)]
        )
        members = {
            name: _nullable(member) if name in optional and name not in both else member
            for name, member in properties.items()
        }
        node = node.having("properties", Members(members)).having("required", [*properties])
        return node.coded({"op": "drop-null", "keys": [*optional]})

    return draft.having(rewrite(draft.root, change), ledger)


def _requiring_properties(node: Node, ledger: list[Entry]) -> Node:
    """Return a schema that requires only listed properties, the limit of strict modes."""
    named = [name for name in node.required if name in node.named("properties")]
    if "properties" not in node or len(named) == len(node.required):
        return node
    detail = "only properties can be required"
    ledger += entries(node.of("required"), Outcome.WIDENED, NAME, detail)
    return node.having("required", [*named])


def _nullable(node: Node) -> Node:
    """Return a schema that also accepts null, with its annotations outside of the union."""
    annotations = ("title", "description", "default", "examples")
    null = Node({"type": "null"}, {}, node.location)
    if node.words.keys() - set(annotations) == {"anyOf"}:
        return node.having("anyOf", (*node.many("anyOf"), null))
    inner = node.without(*annotations)
    outer = Node(
        {word: node.words[word] for word in annotations if word in node},
        {word: node.of(word) for word in annotations if word in node},
        node.location,
        node.notes,
    )
    form = Node(inner.words, inner.origins, inner.location, (), inner.coding)
    return outer.having("anyOf", (form, null), ())
