"""Merging of two schemas: the conjunction of `allOf`, written as one schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.providers.draft import impossible
from toolspec.providers.features import refuses
from toolspec.providers.keyword_merging import STEP, UnmergeableError, is_impossible, with_both
from toolspec.providers.node import NEVER, Members, Node, write
from toolspec.providers.shapes import key
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NoReturn

    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Word

LARGEST_PRODUCT = 16

Resolved: TypeAlias = "Callable[[Node], Node]"

# Two of these cannot be combined in one schema unless they are equal.
_SINGLE = frozenset({"dependentSchemas", "oneOf", "$ref", "$dynamicRef", "$anchor", "$id"})
_GROUPS = (
    frozenset({"if", "then", "else"}),
    frozenset({"contains", "minContains", "maxContains"}),
)
_ALONE = frozenset({"unevaluatedProperties", "unevaluatedItems"})
# Objects and arrays are merged as a whole, after the other keywords.
_LATER = frozenset({"properties", "additionalProperties", "items", "prefixItems"})


def _as_it_is(node: Node) -> Node:
    return node


def merge(first: Node, second: Node, ledger: list[Entry], resolved: Resolved = _as_it_is) -> Node:
    """Return the schema that accepts the values both accept.

    `resolved` returns the target of a reference where it can be inlined. Annotations of the first
    take precedence. Entries for keywords that the result no longer has are appended to `ledger`.

    Raises UnmergeableError where no single schema expresses both.
    """
    return _Merge(ledger, resolved).both(first, second)


class _Merge:
    def __init__(self, ledger: list[Entry], resolved: Resolved) -> None:
        self._ledger = ledger
        self._resolved = resolved

    def both(self, first: Node, second: Node) -> Node:
        if not first.location:  # It may represent an absent keyword, which has no location.
            first = replace(first, location=second.location)
        if first.is_never or second.is_never:
            return self._never(first, second)
        if second.is_empty:
            return first.noted(*second.notes)
        if first.is_empty:
            return replace(second, notes=(*first.notes, *second.notes), location=first.location)
        if "$ref" in first or "$ref" in second:
            first, second = self._inner(first, second), self._inner(second, first)
        self._check(first, second)
        merged = replace(first, notes=(*first.notes, *second.notes))
        for word, value in second.words.items():
            if word not in first.words:
                merged = merged.having(word, value, second.of(word))
            elif word in _MERGERS:
                origins = (*merged.of(word), *second.of(word))
                merged = merged.having(word, _MERGERS[word](self, first, second), origins)
            elif word not in _LATER:
                merged = with_both(merged, second, word, self._ledger)
        merged = _without_siblings(
            self._objects(self._arrays(merged, first, second), first, second)
        )
        return self._never(merged) if is_impossible(merged) else merged

    def _inner(self, node: Node, other: Node) -> Node:
        """Return the target of a reference if it cannot be combined with the other schema."""
        is_alone = not any(map(refuses, other.words)) or other.value("$ref") == node.value("$ref")
        return node if "$ref" not in node or is_alone else self._resolved(node)

    def _never(self, *nodes: Node) -> Node:
        """Return the schema that rejects every value, and record the entries of the merged ones."""
        for node in nodes:
            self._ledger += impossible(node, STEP)
        return NEVER

    @staticmethod
    def _check(first: Node, second: Node) -> None:
        for one, other in ((first, second), (second, first)):
            if "$ref" in one and any(refuses(word) for word in other.words if word != "$ref"):
                _refuse("a recursive reference")
            if not one.additional.is_empty and "patternProperties" in other:
                _refuse("`patternProperties` beside `additionalProperties`")
            if not _ALONE.isdisjoint(one.words):
                _refuse("`unevaluatedProperties`, which sees its own schema only")
        for group in _GROUPS:
            if group & first.words.keys() and group & second.words.keys():
                _refuse(f"`{min(group & second.words.keys())}` in two of the schemas")
        for word in sorted(_SINGLE & first.words.keys() & second.words.keys()):
            if key(write(first.only({word}))) != key(write(second.only({word}))):
                _refuse(f"`{word}` in two of the schemas")

    def refused(self, first: Node, second: Node) -> Word:
        one, other = first.one("not") or NEVER, second.one("not") or NEVER
        return Node({"anyOf": (one, other)}, {}, one.location)

    def product(self, first: Node, second: Node) -> Word:
        one, other = first.many("anyOf"), second.many("anyOf")
        if len(one) * len(other) > LARGEST_PRODUCT:
            _refuse("two `anyOf` with too many combinations")
        merged = [self.both(option, other_option) for option in one for other_option in other]
        return tuple(option for option in merged if not option.is_never) or (NEVER,)

    def listed(self, first: Node, second: Node) -> Word:
        return (*first.many("allOf"), *second.many("allOf"))

    def names(self, first: Node, second: Node) -> Word:
        return self.both(
            first.one("propertyNames") or Node(), second.one("propertyNames") or Node()
        )

    def defined(self, first: Node, second: Node) -> Word:
        return Members({**second.named("$defs"), **first.named("$defs")})

    def patterned(self, first: Node, second: Node) -> Word:
        return Members(
            self._members(first.named("patternProperties"), second.named("patternProperties"))
        )

    def _members(self, one: Mapping[str, Node], other: Mapping[str, Node]) -> dict[str, Node]:
        merged = dict(one)
        for name, node in other.items():
            merged[name] = self.both(merged[name], node) if name in merged else node
        return merged

    def _objects(self, merged: Node, first: Node, second: Node) -> Node:
        """Return the schema with properties and `additionalProperties` of both."""
        words = {"properties", "additionalProperties"}
        if not (words & first.words.keys() and words & second.words.keys()):
            return merged
        if "properties" in first or "properties" in second:
            of = self._properties(first, second)
            merged = merged.having(
                "properties", Members(of), (*first.of("properties"), *second.of("properties"))
            )
        if "additionalProperties" in first or "additionalProperties" in second:
            others = self.both(first.additional, second.additional)
            origins = (*first.of("additionalProperties"), *second.of("additionalProperties"))
            merged = merged.having("additionalProperties", others, origins)
        return merged

    def _properties(self, first: Node, second: Node) -> dict[str, Node]:
        """Return the properties of both; one that is missing has the schema of additional ones."""
        properties: dict[str, Node] = {}
        mine, theirs = first.named("properties"), second.named("properties")
        for name in dict.fromkeys((*mine, *theirs)):
            one, other = mine.get(name, first.additional), theirs.get(name, second.additional)
            properties[name] = self.both(one, other)
        return properties

    def _arrays(self, merged: Node, first: Node, second: Node) -> Node:
        """Return the schema with the items of both, position by position."""
        words = {"items", "prefixItems"}
        if not (words & first.words.keys() and words & second.words.keys()):
            return merged
        rest, other = first.one("items") or Node(), second.one("items") or Node()
        mine, theirs = first.many("prefixItems"), second.many("prefixItems")
        length = max(len(mine), len(theirs))
        locations = tuple(
            self.both(_at(mine, at, rest), _at(theirs, at, other)) for at in range(length)
        )
        if locations:
            merged = merged.having(
                "prefixItems", locations, (*first.of("prefixItems"), *second.of("prefixItems"))
            )
        if "items" in first or "items" in second:
            merged = merged.having(
                "items", self.both(rest, other), (*first.of("items"), *second.of("items"))
            )
        return merged


_MERGERS: dict[str, Callable[[_Merge, Node, Node], Word]] = {
    "$defs": _Merge.defined,
    "allOf": _Merge.listed,
    "anyOf": _Merge.product,
    "not": _Merge.refused,
    "patternProperties": _Merge.patterned,
    "propertyNames": _Merge.names,
}


def _refuse(reason: str) -> NoReturn:
    raise UnmergeableError(reason)


def _without_siblings(node: Node) -> Node:
    """Return a schema in which references have no sibling keywords."""
    if "$ref" not in node or len(node.words) == 1:
        return node
    alone = replace(node.only({"$ref"}), location=node.location)
    return node.without("$ref").having("anyOf", (alone,), ())


def _at(locations: tuple[Node, ...], at: int, rest: Node) -> Node:
    return locations[at] if at < len(locations) else rest
