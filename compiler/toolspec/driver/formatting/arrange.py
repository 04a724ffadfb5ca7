"""Sorts members into the canonical order, together with their comments."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from toolspec.driver.formatting.nodes import Collection, Scalar
from toolspec.driver.formatting.orders import FREE, order_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.driver.formatting.nodes import Member, Node, SyntaxTree
    from toolspec.driver.formatting.orders import Order

# Unknown keys come after all others, in their author's order; merge keys come first.
_LAST = 1 << 10
_MERGE = "<<"


def arrange(tree: SyntaxTree, order: Order) -> None:
    """Sort the members of every mapping whose order has no meaning, in place.

    The order stays if an alias would come before its anchor.
    """
    anchors = Counter(_anchors(tree.root))
    is_safe = all(count == 1 for count in anchors.values())
    _arrange(tree.root, order if is_safe else FREE, has_anchors=bool(anchors))


def _arrange(node: Node, order: Order, *, has_anchors: bool) -> None:
    if isinstance(node, Scalar):
        return
    if not node.is_mapping:
        inner = order_of(order.items)
        for member in node.members:
            _arrange(member.value, inner, has_anchors=has_anchors)
            _hoist(member)
        return
    for member in node.members:
        _arrange(member.value, order.inner(plain_key(member.key)), has_anchors=has_anchors)
    if order.rank is not None:
        _sort(node, order.rank, has_anchors=has_anchors)


def _sort(node: Collection, rank: dict[str, int], *, has_anchors: bool) -> None:
    members = sorted(node.members, key=lambda member: _rank(member, rank))
    if all(one is other for one, other in zip(members, node.members, strict=True)):
        return
    if has_anchors and not _keeps_anchors_first(members):
        return
    # The first member has no blank line before it; the new first member swaps its own with it.
    first, moved = node.members[0], members[0]
    first.blank, moved.blank = moved.blank, False
    node.members = members


def _rank(member: Member, rank: dict[str, int]) -> int:
    key = plain_key(member.key)
    return -1 if key == _MERGE else rank.get(key, _LAST)


def _keeps_anchors_first(members: list[Member]) -> bool:
    here = {name for member in members for name in _member_anchors(member)}
    seen: set[str] = set()
    for member in members:
        anchors = set(_member_anchors(member))
        if any(name in here and name not in seen | anchors for name in _aliases(member.value)):
            return False
        seen |= anchors
    return True


def _hoist(member: Member) -> None:
    """Move the comments above the first member of an item to the item, above its dash."""
    value = member.value
    while isinstance(value, Collection) and value.members and not value.is_line:
        first = value.members[0]
        if first.lead:
            member.gap = first.gap
            member.lead += first.lead
            first.lead = []
        value = first.value if not value.is_mapping else Scalar(("",))


def plain_key(key: str) -> str:
    """Return the unquoted name of a key, for sorting."""
    if key.startswith('"'):
        try:
            return str(json.loads(key))
        except ValueError:
            return key
    return key[1:-1] if key.startswith("'") else key


def _anchors(node: Node) -> Iterator[str]:
    if node.anchor:
        yield node.anchor[1:]
    if isinstance(node, Collection):
        for member in node.members:
            yield from _member_anchors(member)


def _member_anchors(member: Member) -> Iterator[str]:
    if member.key.startswith("&"):
        yield member.key.split(" ", 1)[0][1:]
    yield from _anchors(member.value)


def _aliases(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        if node.lines[0].startswith("*"):
            yield node.lines[0][1:]
        return
    for member in node.members:
        yield from _aliases(member.value)
