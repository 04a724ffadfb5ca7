"""Canonical order of keys by the schemas of the language, and sorting of members into it."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

from toolspec.driver.formatting.nodes import Collection, Scalar
from toolspec.schema.shipped import read_schema
from toolspec.shared.keywords import APPLICATORS, KEYWORD_ORDER, Holds
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.driver.formatting.nodes import Member, Node, SyntaxTree
    from toolspec.syntax.nodes import JsonObject, JsonValue

_EMBEDDED = frozenset({"jsonSchema", "objectSchema", "schemaKeywords"})
_NAMES = "#/$defs/"
_SERVICE_KEYS = frozenset({"toolspec", "service"})
_PART_KEYS = frozenset({"$defs", "tools"})
_DIALECTS = "//json-schema.org/"

_KINDS = {Holds.ONE: "schema", Holds.LIST: "schema list", Holds.MAP: "schema map"}
# Draft-07 allows a list of schemas under `items`.
_HELD = {key: _KINDS[holds] for key, holds in APPLICATORS.items()}


@dataclass(frozen=True, slots=True)
class Order:
    """Order of one kind of mapping: `rank` of its keys, and the orders of its members.

    Without `rank` the author's order stays. `members` are kinds by key, `others` the kind of any
    other member, `items` that of list items.
    """

    rank: dict[str, int] | None = None
    members: dict[str, str] | None = None
    others: str = ""
    items: str = ""

    def inner(self, key: str) -> Order:
        """Return the order of a member."""
        return order_of((self.members or {}).get(key, self.others))


FREE: Final = Order()


@cache
def order_of(kind: str) -> Order:
    """Return the order of a kind: a pointer into the language's schema, or a kind of schema."""
    match kind:
        case "":
            return FREE
        case "schema":
            return Order(_ranks(KEYWORD_ORDER), _HELD)
        case "schema map":
            return Order(others="schema")
        case "schema list":
            return Order(items="schema")
        case _:
            return _described(kind)


def root_order(value: JsonValue) -> Order:
    """Return the order of a whole document: a service, a part, or a schema."""
    if not isinstance(value, dict):
        return FREE
    keys = {key for key in value if not key.startswith("x-")}
    schema = value.get("$schema")
    if keys & _SERVICE_KEYS:
        return order_of("#")
    if isinstance(schema, str) and _DIALECTS in schema:
        return order_of("schema")
    return order_of("#") if keys & _PART_KEYS and keys <= {"$schema", *_PART_KEYS} else FREE


def _described(pointer: str) -> Order:
    """Return the order of the mappings or lists at a pointer of the language's schema."""
    if pointer.removeprefix(_NAMES) in _EMBEDDED:
        return order_of("schema")
    node = _at(pointer)
    if isinstance(target := node.get("$ref"), str):
        return order_of(target)
    names: dict[str, str] = {}
    for at, part in _parts(pointer, node):
        properties = part.get("properties")
        for key in properties if isinstance(properties, dict) else ():
            names.setdefault(key, f"{at}/properties/{_escaped(key)}")
    others = "additionalProperties" if isinstance(node.get("additionalProperties"), dict) else ""
    items = "items" if isinstance(node.get("items"), dict) else ""
    return Order(
        _ranks(names) if names else None,
        names,
        others and f"{pointer}/{others}",
        items and f"{pointer}/{items}",
    )


def _parts(pointer: str, node: JsonObject) -> list[tuple[str, JsonObject]]:
    """Return a schema and its subschemas that apply to the same value."""
    parts = [(pointer, node)]
    several = node.get("allOf")
    for subschema in several if isinstance(several, list) else ():
        then = subschema.get("then", subschema) if isinstance(subschema, dict) else None
        target = then.get("$ref") if isinstance(then, dict) else None
        if isinstance(target, str):
            parts.append((target, _at(target)))
    return parts


def _at(pointer: str) -> JsonObject:
    value: JsonValue = _language()
    for step in pointer.split("/")[1:]:
        assert isinstance(value, dict)
        value = value[step.replace("~1", "/").replace("~0", "~")]
    return value if isinstance(value, dict) else {}


@cache
def _language() -> JsonObject:
    value: JsonObject = json.loads(read_schema("service.v1.schema.json"))
    return value


def _ranks(names: tuple[str, ...] | dict[str, str]) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(names)}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


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
