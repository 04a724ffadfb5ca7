"""Two schemas that both count made one: the conjunction that `allOf` stands for, written out."""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

from toolspec.providers.draft import entries, lost
from toolspec.providers.ledger import Fate
from toolspec.providers.node import NEVER, Members, Node, Note, write
from toolspec.providers.sentences import sentence
from toolspec.providers.shapes import key, limited, type_of
from toolspec.schema.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Word
    from toolspec.syntax.nodes import JsonValue

STEP = "merge-all-of"
LARGEST_PRODUCT = 16

_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
# Two of these cannot be said in one schema.
_SINGLE = frozenset(
    {
        *(
            "if",
            "then",
            "else",
            "contains",
            "minContains",
            "maxContains",
            "dependentSchemas",
            "oneOf",
        ),
        *("unevaluatedProperties", "unevaluatedItems", "$ref", "$dynamicRef", "$anchor", "$id"),
    }
)
_CONDITIONAL = frozenset({"if", "then", "else"})
_COUNTING = frozenset({"contains", "minContains", "maxContains"})


class UnmergeableError(Exception):
    """Two schemas cannot be said as one; the text says what stands in the way."""


def merge(first: Node, second: Node, found: list[Entry]) -> Node:
    """Return the schema whose values are those of both.

    Annotations are those of the first where it has them. What becomes of keywords that the result no
    longer has is added to `found`. Raises UnmergeableError where no single schema says it.
    """
    return _Merge(found).both(first, second)


Pair: TypeAlias = "tuple[Node, Node]"


class _Merge:
    def __init__(self, found: list[Entry]) -> None:
        self._found = found

    def both(self, first: Node, second: Node) -> Node:
        if first.is_never or second.is_never:
            return self._never(first, second)
        if second.is_empty:
            return first.noted(*second.notes)
        if first.is_empty:
            return replace(second, notes=(*first.notes, *second.notes), place=first.place)
        self._check(first, second)
        made = replace(first, notes=(*first.notes, *second.notes))
        for word, value in second.words.items():
            origins = (*made.origins.get(word, ()), *second.origins.get(word, ()))
            if word not in first.words:
                made = made.having(word, value, origins)
            elif word in _MERGES:
                made = made.having(word, _MERGES[word](self, first, second), origins)
            else:
                made = self._plain(made, second, word)
        made = self._objects(self._arrays(made, first, second), first, second)
        return self._never(made) if _is_empty(made) else made

    def _never(self, *nodes: Node) -> Node:
        """Return the schema that nothing satisfies, with an account of those that came to that."""
        for each in nodes:
            self._found += lost(each, each.words, Fate.DROPPED, STEP, "nothing can satisfy it")
        return NEVER

    @staticmethod
    def _check(first: Node, second: Node) -> None:
        for one, other in ((first, second), (second, first)):
            if "$ref" in one and other.words.keys() - ANNOTATIONS - {"$ref"}:
                raise UnmergeableError("a reference that leads back to itself")
        groups = (_CONDITIONAL, _COUNTING)
        for group in groups:
            if group & first.words.keys() and group & second.words.keys():
                raise UnmergeableError(
                    f"`{min(group & second.words.keys())}` in two of the schemas"
                )
        for word in sorted(_SINGLE & first.words.keys() & second.words.keys()):
            if _spelt(first, word) != _spelt(second, word):
                raise UnmergeableError(f"`{word}` in two of the schemas")
        for word in ("unevaluatedProperties", "unevaluatedItems"):
            if word in first or word in second:
                raise UnmergeableError(f"`{word}`, which sees its own schema only")

    def _plain(self, made: Node, second: Node, word: str) -> Node:
        """Return the schema with one plain keyword that both have."""
        mine, other = made.value(word), second.value(word)
        origins = (*made.of(word), *second.of(word))
        if key(mine) == key(other):
            return made.having(word, made.words[word], origins)
        if word in _LOWER or word in _UPPER:
            tighter = (max if word in _LOWER else min)(mine, other)  # type: ignore[type-var]  # numbers
            return made.having(word, tighter, origins)
        if word in ANNOTATIONS and word != "format":
            detail = "the schema that it is merged into says it already"
            self._found += entries(second.of(word), Fate.DROPPED, STEP, detail)
            return made
        if word in {"pattern", "format"}:
            self._found += entries(second.of(word), Fate.MOVED, STEP, "one schema holds one only")
            rank, text = sentence(second, word)
            return made.noted(Note(rank, text, second.of(word), word))
        if word.startswith("$") or word in _SINGLE:
            raise UnmergeableError(f"`{word}` in two of the schemas")
        self._found += entries(second.of(word), Fate.DROPPED, STEP, "is no keyword")
        return made

    def type(self, first: Node, second: Node) -> Word:
        types = _common(first.types, second.types)
        if not types:
            return []
        return types[0] if len(types) == 1 else list(types)

    def values(self, first: Node, second: Node) -> Word:
        wanted = {key(each) for each in _list(second.value("enum"))}
        return [each for each in _list(first.value("enum")) if key(each) in wanted]

    def required(self, first: Node, second: Node) -> Word:
        return list(dict.fromkeys((*first.required, *second.required)))

    def multiple(self, first: Node, second: Node) -> Word:
        one, other = first.value("multipleOf"), second.value("multipleOf")
        if isinstance(one, int) and isinstance(other, int):
            return lcm(one, other)
        if one == other:
            return first.words["multipleOf"]
        raise UnmergeableError("`multipleOf` of two numbers that are not whole")

    def refused(self, first: Node, second: Node) -> Word:
        one, other = first.one("not") or NEVER, second.one("not") or NEVER
        return Node({"anyOf": (one, other)}, {}, one.place)

    def product(self, first: Node, second: Node) -> Word:
        one, other = first.many("anyOf"), second.many("anyOf")
        if len(one) * len(other) > LARGEST_PRODUCT:
            raise UnmergeableError("two `anyOf` with too many combinations")
        made = [self.both(each, with_) for each in one for with_ in other]
        return tuple(each for each in made if not each.is_never) or (NEVER,)

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

    def dependent(self, first: Node, second: Node) -> Word:
        one, other = first.value("dependentRequired"), second.value("dependentRequired")
        made: dict[str, JsonValue] = dict(one) if isinstance(one, dict) else {}
        for name, needed in other.items() if isinstance(other, dict) else ():
            made[name] = list(dict.fromkeys([*_texts(made.get(name)), *_texts(needed)]))
        return made

    def _members(self, one: Mapping[str, Node], other: Mapping[str, Node]) -> dict[str, Node]:
        made = dict(one)
        for name, node in other.items():
            made[name] = self.both(made[name], node) if name in made else node
        return made

    def _objects(self, made: Node, first: Node, second: Node) -> Node:
        """Return the schema with properties and `additionalProperties` of both."""
        words = {"properties", "additionalProperties"}
        for one, other in ((first, second), (second, first)):
            if not one.additional.is_empty and "patternProperties" in other:
                raise UnmergeableError("`patternProperties` beside `additionalProperties`")
        if not (words & first.words.keys() and words & second.words.keys()):
            return made
        if "properties" in first or "properties" in second:
            of = self._properties(first, second)
            made = made.having(
                "properties", Members(of), (*first.of("properties"), *second.of("properties"))
            )
        if "additionalProperties" in first or "additionalProperties" in second:
            others = self.both(first.additional, second.additional)
            origins = (*first.of("additionalProperties"), *second.of("additionalProperties"))
            made = made.having("additionalProperties", others, origins)
        return made

    def _properties(self, first: Node, second: Node) -> dict[str, Node]:
        """Return the properties of both; one that the other does not name meets its others' schema."""
        made: dict[str, Node] = {}
        mine, theirs = first.named("properties"), second.named("properties")
        for name in dict.fromkeys((*mine, *theirs)):
            one, other = mine.get(name, first.additional), theirs.get(name, second.additional)
            made[name] = self.both(one, other)
        return made

    def _arrays(self, made: Node, first: Node, second: Node) -> Node:
        """Return the schema with the items of both, position by position."""
        words = {"items", "prefixItems"}
        if not (words & first.words.keys() and words & second.words.keys()):
            return made
        rest, other = first.one("items") or Node(), second.one("items") or Node()
        mine, theirs = first.many("prefixItems"), second.many("prefixItems")
        length = max(len(mine), len(theirs))
        places = tuple(
            self.both(_at(mine, at, rest), _at(theirs, at, other)) for at in range(length)
        )
        if places:
            made = made.having(
                "prefixItems", places, (*first.of("prefixItems"), *second.of("prefixItems"))
            )
        if "items" in first or "items" in second:
            made = made.having(
                "items", self.both(rest, other), (*first.of("items"), *second.of("items"))
            )
        return made


_MERGES: dict[str, Callable[[_Merge, Node, Node], Word]] = {
    "$defs": _Merge.defined,
    "additionalProperties": lambda _, first, __: first.words["additionalProperties"],
    "allOf": _Merge.listed,
    "anyOf": _Merge.product,
    "dependentRequired": _Merge.dependent,
    "enum": _Merge.values,
    "items": lambda _, first, __: first.words["items"],
    "multipleOf": _Merge.multiple,
    "not": _Merge.refused,
    "patternProperties": _Merge.patterned,
    "prefixItems": lambda _, first, __: first.words["prefixItems"],
    "properties": lambda _, first, __: first.words["properties"],
    "propertyNames": _Merge.names,
    "required": _Merge.required,
    "type": _Merge.type,
}


def _common(some: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    made = [name for name in some if name in others or (name == "integer" and "number" in others)]
    if "number" in some and "integer" in others and "integer" not in made and "number" not in made:
        made.append("integer")
    return tuple(made)


def _is_empty(node: Node) -> bool:
    """Whether it is plain that no value is left."""
    if node.words.get("type") == []:
        return True
    values = limited(node)
    if values is not None and "enum" in node:
        wanted = {key(each) for each in _list(node.value("enum"))}
        left = [each for each in values if key(each) in wanted and _fits(each, node.types)]
        return not left
    branches = node.many("anyOf")
    if branches and all(each.is_never for each in branches):
        return True
    properties = node.named("properties")
    if node.types != ("object",):
        return False
    return any(name in properties and properties[name].is_never for name in node.required)


def _fits(value: JsonValue, types: tuple[str, ...]) -> bool:
    stated = type_of(value)
    return not types or stated in types or (stated == "integer" and "number" in types)


def _at(places: tuple[Node, ...], at: int, rest: Node) -> Node:
    return places[at] if at < len(places) else rest


def _spelt(node: Node, word: str) -> object:
    return key(write(Node({word: node.words[word]})))


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _texts(value: JsonValue) -> Iterable[str]:
    return [str(each) for each in _list(value)]
