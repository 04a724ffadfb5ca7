"""Removal of subschemas that no value satisfies (`false`), where the schema can do without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, impossible, lost
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import NEVER, Members, Node

if TYPE_CHECKING:
    from toolspec.providers.ledger import Entry


def prune(node: Node, step: str, ledger: list[Entry]) -> Node:
    """Return a schema without unsatisfiable subschemas; `false` if it requires one.

    A property that no value may have is removed. That widens an open object: the entry for its
    `properties` is appended to `ledger`, as are those of everything lost with a removed schema.
    """
    if node.is_never:
        return node
    if _needs_never(node):
        ledger += impossible(node, step)
        return NEVER
    node = _patterns(_items(_choices(node), step, ledger), step, ledger)
    gone = [name for name, member in node.named("properties").items() if member.is_never]
    if not gone:
        return node
    if not node.additional.is_never:
        detail = f"no longer forbidden: {', '.join(gone)}"
        ledger += entries(node.of("properties"), Outcome.WIDENED, step, detail)
    remaining = {
        name: member for name, member in node.named("properties").items() if name not in gone
    }
    return node.having("properties", Members(remaining))


def _needs_never(node: Node) -> bool:
    """Return whether no value is left: an empty choice, or a required part that cannot exist."""
    for word in ("anyOf", "oneOf"):
        branches = node.many(word)
        if branches and all(branch.is_never for branch in branches):
            return True
    if any(branch.is_never for branch in node.many("allOf")):
        return True
    properties = node.named("properties")
    if node.types == ("object",):
        others = NEVER if node.additional.is_never and "patternProperties" not in node else Node()
        return any(properties.get(name, others).is_never for name in node.required)
    return node.types == ("array",) and _is_short(node)


def _is_short(node: Node) -> bool:
    """Return whether an array requires more items than it can have."""
    least, locations = node.value("minItems"), node.many("prefixItems")
    if not isinstance(least, int):
        return False
    open_locations = next((at for at, location in enumerate(locations) if location.is_never), None)
    items = node.one("items")
    if open_locations is None and items is not None and items.is_never:
        open_locations = len(locations)
    return open_locations is not None and least > open_locations


def _choices(node: Node) -> Node:
    for word in ("anyOf", "oneOf"):
        branches = node.many(word)
        remaining = tuple(branch for branch in branches if not branch.is_never)
        if len(remaining) < len(branches):
            node = node.having(word, remaining)
    return node


def _patterns(node: Node, step: str, ledger: list[Entry]) -> Node:
    patterns = node.named("patternProperties")
    remaining = {name: pattern for name, pattern in patterns.items() if not pattern.is_never}
    if len(remaining) == len(patterns):
        return node
    outcome = Outcome.DROPPED if node.additional.is_never else Outcome.WIDENED
    ledger += entries(node.of("patternProperties"), outcome, step, "it forbids these names")
    if remaining:
        return node.having("patternProperties", Members(remaining))
    return node.without("patternProperties")


def _items(node: Node, step: str, ledger: list[Entry]) -> Node:
    locations = node.many("prefixItems")
    refused = next((at for at, location in enumerate(locations) if location.is_never), None)
    if refused is not None:
        beyond = Node({"prefixItems": locations[refused:], "items": node.one("items") or Node()})
        ledger += lost(
            beyond, beyond.words, Outcome.DROPPED, step, "no item can be at this position"
        )
        capped = _capped(node, refused).without("items")
        return (
            capped.having("prefixItems", locations[:refused])
            if refused
            else capped.without("prefixItems")
        )
    items = node.one("items")
    return _capped(node, 0).without("items") if items and items.is_never and not locations else node


def _capped(node: Node, length: int) -> Node:
    most = node.value("maxItems")
    tighter = min(most, length) if isinstance(most, int) else length
    at = (*node.of("maxItems"), *node.of("items"), *node.of("prefixItems"))
    return node.having("maxItems", tighter, at)
