"""Replace a tuple by a list of any of its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, implied, lost
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, rewrite, write
from toolspec.providers.notes import notes
from toolspec.providers.shapes import key

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "widen-tuple"


def widen_tuple(draft: Draft, _: Options) -> Draft:
    """Return the draft without `prefixItems`; the order of the items is noted.

    Equivalent only where all items are alike.
    """
    if draft.root is None or draft.lacks("prefixItems"):
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        return _array(node, draft.outcome, ledger) if node.many("prefixItems") else node

    return draft.having(rewrite(draft.root, change), ledger)


def _array(node: Node, alike: Outcome, ledger: list[Entry]) -> Node:
    locations, rest = node.many("prefixItems"), node.one("items") or Node()
    origins = node.of("prefixItems")
    if rest.is_empty:
        detail = "further items are like the listed ones"
        ledger.append(implied(node, "items", Outcome.NARROWED, NAME, detail))
    members: dict[object, Node] = {}
    for location in (*locations, *(() if rest.is_never or rest.is_empty else (rest,))):
        same = key(write(location))
        if same in members:
            ledger += lost(location, location.words, alike, NAME, "alike")
        members.setdefault(same, location)
    several = tuple(members.values())
    outcome = alike if len(several) == 1 else Outcome.WIDENED
    ledger += entries(origins, outcome, NAME, "any item at any position")
    array = node.without("prefixItems").having(
        "items", _any(several, node, ledger), node.of("items")
    )
    if rest.is_never:
        most = node.value("maxItems")
        length = min(most, len(locations)) if isinstance(most, int) else len(locations)
        array = array.having("maxItems", length, node.of("maxItems", "items"))
    order_notes = () if len(several) == 1 else notes(node, ("prefixItems", "items"))
    return array.noted(*order_notes)


def _any(several: tuple[Node, ...], node: Node, ledger: list[Entry]) -> Node:
    """Return the union of several schemas."""
    if len(several) == 1:
        return several[0]
    if not any(schema.is_empty for schema in several):
        return Node({"anyOf": several}, {}, node.location)
    for schema in several:
        ledger += lost(schema, schema.words, Outcome.WIDENED, NAME, "any item can follow")
    return Node(location=node.location)
