"""Merging of two values of one keyword, for keywords that contain no schemas."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Outcome
from toolspec.providers.notes import notes
from toolspec.providers.shapes import key, limited, type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Node
    from toolspec.syntax.nodes import JsonValue

STEP = "merge-all-of"
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


class UnmergeableError(Exception):
    """Raised when no single schema can express both; the message is the reason."""


def with_both(merged: Node, second: Node, word: str, ledger: list[Entry]) -> Node:
    """Return a schema with a keyword that combines its value and that of a second schema.

    Entries for values of the second that are lost are appended to `ledger`. Raises UnmergeableError
    where no value expresses both.
    """
    mine, other = merged.value(word), second.value(word)
    origins = (*merged.of(word), *second.of(word))
    if key(mine) == key(other):
        return merged.having(word, merged.words[word], origins)
    if word in _MERGED:
        return merged.having(word, _MERGED[word](merged, second), origins)
    if word in _LOWER or word in _UPPER:
        tighter = (max if word in _LOWER else min)(mine, other)  # type: ignore[type-var]  # numbers
        return merged.having(word, tighter, origins)
    if word == "const":
        # No value equals both: an empty list of types rejects every value.
        return merged.having("type", [], (*merged.of("type"), *second.of(word)))
    if word in {"pattern", "format"}:
        ledger += entries(second.of(word), Outcome.MOVED, STEP, "a schema can have only one")
        return merged.noted(*notes(second, (word,)))
    detail = "the merged schema already states it"
    ledger += entries(second.of(word), Outcome.DROPPED, STEP, detail)
    return merged


def is_impossible(node: Node) -> bool:
    """Return whether a schema evidently rejects every value."""
    if node.words.get("type") == [] or node.words.get("enum") == []:
        return True
    values = limited(node)
    if values is not None and not any(_fits(value, node) for value in values):
        return True
    branches = node.many("anyOf")
    if branches and all(branch.is_never for branch in branches):
        return True
    properties = node.named("properties")
    if node.types != ("object",):
        return False
    return any(name in properties and properties[name].is_never for name in node.required)


def _fits(value: JsonValue, node: Node) -> bool:
    stated, types, listed = type_of(value), node.types, node.value("enum")
    if isinstance(listed, list) and key(value) not in map(key, listed):
        return False
    return not types or stated in types or (stated == "integer" and "number" in types)


def _types(first: Node, second: Node) -> JsonValue:
    some, others = first.types, second.types
    both = [name for name in some if name in others or (name == "integer" and "number" in others)]
    if "number" in some and "integer" in others and not {"integer", "number"} & set(both):
        both.append("integer")
    return both[0] if len(both) == 1 else [*both]


def _values(first: Node, second: Node) -> JsonValue:
    accepted = {key(value) for value in limited(second.only({"enum"})) or ()}
    return [value for value in limited(first.only({"enum"})) or () if key(value) in accepted]


def _required(first: Node, second: Node) -> JsonValue:
    return [*dict.fromkeys((*first.required, *second.required))]


def _multiple(first: Node, second: Node) -> JsonValue:
    one, other = first.value("multipleOf"), second.value("multipleOf")
    if isinstance(one, int) and isinstance(other, int):
        return lcm(one, other)
    reason = "`multipleOf` of two numbers that are not whole"
    raise UnmergeableError(reason)


def _dependent(first: Node, second: Node) -> JsonValue:
    one, other = first.value("dependentRequired"), second.value("dependentRequired")
    merged: dict[str, JsonValue] = dict(one) if isinstance(one, dict) else {}
    for name, required in other.items() if isinstance(other, dict) else ():
        before = merged.get(name)
        both = [
            *(before if isinstance(before, list) else []),
            *(required if isinstance(required, list) else []),
        ]
        merged[name] = [*dict.fromkeys(map(str, both))]
    return merged


def _yes(_: Node, __: Node) -> JsonValue:
    return True


_MERGED: dict[str, Callable[[Node, Node], JsonValue]] = {
    "dependentRequired": _dependent,
    "enum": _values,
    "multipleOf": _multiple,
    "required": _required,
    "type": _types,
    "uniqueItems": _yes,
}
