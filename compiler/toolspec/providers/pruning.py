"""What nothing satisfies, taken out of a schema: `false` below it, as far as it can do without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.node import NEVER, Members, Node

if TYPE_CHECKING:
    from collections.abc import Callable


def prune(node: Node, on_open: Callable[[Node, str], None]) -> Node:
    """Return a schema without subschemas that nothing satisfies; never itself if it needs one.

    A property that no value may have is taken out. That widens an object that is open, of which
    `on_open` is told, with the property's name.
    """
    if node.is_never:
        return node
    for step in (_choices, _items, _properties):
        node = step(node)
        if node.is_never:
            return node
    gone = [name for name, each in node.named("properties").items() if each.is_never]
    if not gone:
        return node
    if not node.additional.is_never:
        for name in gone:
            on_open(node, name)
    left = {name: each for name, each in node.named("properties").items() if name not in gone}
    return node.having("properties", Members(left))


def _choices(node: Node) -> Node:
    for word in ("anyOf", "oneOf"):
        branches = node.many(word)
        left = tuple(each for each in branches if not each.is_never)
        if branches and not left:
            return NEVER
        if len(left) < len(branches):
            node = node.having(word, left)
    return NEVER if any(each.is_never for each in node.many("allOf")) else node


def _items(node: Node) -> Node:
    places = node.many("prefixItems")
    refused = next((at for at, each in enumerate(places) if each.is_never), None)
    if refused is not None:
        node = _capped(node.having("prefixItems", places[:refused]), refused)
        if not refused:
            node = node.without("prefixItems")
    elif (items := node.one("items")) and items.is_never and not places:
        node = _capped(node, 0).without("items")
    least = node.value("minItems")
    most = node.value("maxItems")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        return NEVER if node.types == ("array",) else node
    return node


def _capped(node: Node, length: int) -> Node:
    most = node.value("maxItems")
    tighter = min(most, length) if isinstance(most, int) else length
    return node.having("maxItems", tighter, (*node.of("maxItems"), *node.of("items")))


def _properties(node: Node) -> Node:
    properties = node.named("properties")
    needed = [name for name in node.required if name in properties and properties[name].is_never]
    if not needed:
        return node
    if node.types == ("object",):
        return NEVER
    return node
