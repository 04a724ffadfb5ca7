"""Tree of a schema during lowering; its keywords keep their locations in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.shared.records import dataclass, field, replace
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue

# Keywords that contain schemas; most schemas are leaves, and one look at their keys suffices.
APPLICATOR_NAMES = frozenset(APPLICATORS)

Pointers: TypeAlias = "tuple[str, ...]"
Word: TypeAlias = "JsonValue | Node | tuple[Node, ...] | Members"
Step: TypeAlias = "str | int | None"


@dataclass(frozen=True, slots=True)
class Members:
    """The schemas of a keyword that contains them by name."""

    of: Mapping[str, Node]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about keywords for the description; a lower rank is kept longer.

    `origins` are the pointers of the keywords it covers. `schema` is the one that it replaces; it
    is needed where the schema with the note is itself written as a sentence.
    """

    rank: int
    text: str
    origins: Pointers = ()
    schema: Node | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One immutable schema.

    `words` are its keywords, those that contain schemas as `Node`, a tuple of them or `Members`.
    `origins` has for each keyword its pointers in the source (several after a merge, none for one
    that a step added). `coding` are decode operations on values of this schema, in the order in
    which they are undone. A node that `is_never` is the schema `false`.
    """

    words: Mapping[str, Word] = field(default_factory=dict)
    origins: Mapping[str, Pointers] = field(default_factory=dict)
    location: str = ""
    notes: tuple[Note, ...] = ()
    coding: tuple[JsonObject, ...] = ()
    is_never: bool = False

    def __contains__(self, word: str) -> bool:
        return word in self.words

    def value(self, word: str) -> JsonValue:
        """Return a plain keyword's value; None where it is missing or contains schemas."""
        value = self.words.get(word)
        return None if isinstance(value, (Node, tuple, Members)) else value

    def one(self, word: str) -> Node | None:
        """Return the schema that is a keyword's value; None for other values."""
        value = self.words.get(word)
        return value if isinstance(value, Node) else None

    def many(self, word: str) -> tuple[Node, ...]:
        """Return the schemas that a keyword lists."""
        value = self.words.get(word)
        return value if isinstance(value, tuple) else ()

    def named(self, word: str) -> Mapping[str, Node]:
        """Return the schemas of a keyword by name."""
        value = self.words.get(word)
        return value.of if isinstance(value, Members) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """The names under `required`."""
        names = self.value("required")
        return tuple(map(str, names)) if isinstance(names, list) else ()

    @property
    def types(self) -> tuple[str, ...]:
        """The names under `type`."""
        match self.words.get("type"):
            case str(name):
                return (name,)
            case list(names):
                return tuple(map(str, names))
        return ()

    @property
    def additional(self) -> Node:
        """The schema of properties that are not listed; the empty schema by default."""
        return self.one("additionalProperties") or Node()

    @property
    def is_empty(self) -> bool:
        """Whether it has no keywords and accepts every value."""
        return not self.words and not self.is_never

    def of(self, *words: str) -> Pointers:
        """Return the source pointers of keywords."""
        return tuple(at for word in words for at in self.origins.get(word, ()))

    def without(self, *words: str) -> Node:
        """Return the schema without some keywords."""
        if not any(word in self.words for word in words):
            return self
        remaining = {word: value for word, value in self.words.items() if word not in words}
        origins = {word: at for word, at in self.origins.items() if word not in words}
        return replace(self, words=remaining, origins=origins)

    def only(self, words: object) -> Node:
        """Return the schema with only the keywords in a collection, and without notes."""
        others = [word for word in self.words if word not in words]  # type: ignore[operator]  # any container
        return replace(self.without(*others), notes=(), coding=())

    def having(self, word: str, value: Word, origins: Pointers | None = None) -> Node:
        """Return the schema with a keyword; `origins` default to those it has."""
        at = self.origins.get(word, ()) if origins is None else origins
        return replace(self, words={**self.words, word: value}, origins={**self.origins, word: at})

    def noted(self, *notes: Note) -> Node:
        """Return the schema with more notes for its description."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    def coded(self, *operations: JsonObject) -> Node:
        """Return the schema with more decode operations, which run before the present ones."""
        return replace(self, coding=(*operations, *self.coding))


NEVER = Node(is_never=True)


def below(node: Node) -> Iterator[tuple[str, Step, Node]]:
    """Yield the direct subschemas: the keyword, the name or index, the schema."""
    for word, value in node.words.items():
        if isinstance(value, Node):
            yield word, None, value
        elif isinstance(value, tuple):
            yield from ((word, index, item) for index, item in enumerate(value))
        elif isinstance(value, Members):
            yield from ((word, name, item) for name, item in value.of.items())


def every(root: Node) -> Iterator[Node]:
    """Yield a schema and all its subschemas, parents first."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if not APPLICATOR_NAMES.isdisjoint(node.words):
            stack += [child for _, _, child in below(node)]


def rewrite(root: Node, change: Callable[[Node], Node], past: frozenset[str] = frozenset()) -> Node:
    """Return the tree with each schema changed, subschemas first.

    Schemas under the keywords `past` are unchanged. The stack is explicit, so any depth is
    possible; unchanged schemas are not copied.
    """
    stack: list[tuple[Node, int, str, Step]] = [(root, -1, "", None)]
    for at, (node, *_) in enumerate(stack):
        if not APPLICATOR_NAMES.isdisjoint(node.words):
            inner = [(child, at, word, step) for word, step, child in below(node)]
            stack += [item for item in inner if item[2] not in past]
    changed: dict[int, dict[tuple[str, Step], Node]] = {}
    for at in range(len(stack) - 1, -1, -1):
        node, holder, word, step = stack[at]
        inside = changed.pop(at, None)
        result = change(_with_children(node, inside) if inside else node)
        if holder < 0:
            return result
        if result is not node:
            changed.setdefault(holder, {})[word, step] = result
    return root


def _with_children(node: Node, inside: Mapping[tuple[str, Step], Node]) -> Node:
    words: dict[str, Word] = dict(node.words)
    for word in {word for word, _ in inside}:
        value = words[word]
        if isinstance(value, tuple):
            words[word] = tuple(inside.get((word, at), item) for at, item in enumerate(value))
        elif isinstance(value, Members):
            words[word] = Members(
                {name: inside.get((word, name), item) for name, item in value.of.items()}
            )
        else:
            words[word] = inside[word, None]
    return replace(node, words=words)


def read(schema: JsonObject) -> Node:
    """Return the tree of a schema; values other than schemas in schema positions stay plain."""
    return _Reading(schema).root


class _Reading:
    """Builder of a tree from a JSON value, children first, with an explicit stack."""

    def __init__(self, schema: JsonObject) -> None:
        values: list[tuple[JsonValue, tuple[str | int, ...]]] = [(schema, ())]
        for value, path in values:
            if isinstance(value, dict):
                values += self._below(value, path)
        nodes: dict[tuple[str | int, ...], Node] = {}
        for value, path in reversed(values):
            nodes[path] = self._node(value, path, nodes)
        self.root = nodes[()]

    @staticmethod
    def _below(
        node: JsonObject, path: tuple[str | int, ...]
    ) -> Iterator[tuple[JsonValue, tuple[str | int, ...]]]:
        for word, value in node.items():
            holds = APPLICATORS.get(word)
            if holds is Holds.MAP and isinstance(value, dict):
                yield from (
                    (item, (*path, word, name))
                    for name, item in value.items()
                    if isinstance(item, (dict, bool))
                )
            elif holds not in {None, Holds.MAP} and isinstance(value, list):
                yield from (
                    (item, (*path, word, at))
                    for at, item in enumerate(value)
                    if isinstance(item, (dict, bool))
                )
            elif holds is Holds.ONE and isinstance(value, (dict, bool)):
                yield value, (*path, word)

    @staticmethod
    def _node(
        value: JsonValue,
        path: tuple[str | int, ...],
        nodes: Mapping[tuple[str | int, ...], Node],
    ) -> Node:
        location = format_pointer(path)
        if not isinstance(value, dict):
            return Node(location=location, is_never=value is False)
        words: dict[str, Word] = {}
        for word, item in value.items():
            holds = APPLICATORS.get(word)
            if (*path, word) in nodes:
                words[word] = nodes[*path, word]
            elif holds is Holds.MAP and isinstance(item, dict):
                words[word] = Members(
                    {
                        name: nodes[*path, word, name]
                        for name in item
                        if (*path, word, name) in nodes
                    }
                )
            elif holds not in {None, Holds.MAP} and isinstance(item, list):
                # Values that are not schemas are left out: a diagnostic reports them.
                words[word] = tuple(
                    nodes[*path, word, at] for at in range(len(item)) if (*path, word, at) in nodes
                )
            else:
                words[word] = item
        origins = {word: (location + format_pointer((word,)),) for word in words}
        return Node(words, origins, location)


def write(root: Node) -> JsonValue:
    """Return the JSON value of a tree, `true` for an empty schema under `additionalProperties`."""
    values: dict[int, JsonValue] = {}
    order = list(every(root))
    for node in reversed(order):
        values[id(node)] = _json_of(node, values)
    return values[id(root)]


WRITTEN_AS_BOOLEAN = frozenset(
    {"additionalProperties", "unevaluatedProperties", "unevaluatedItems"}
)


def _json_of(node: Node, values: Mapping[int, JsonValue]) -> JsonValue:
    if node.is_never:
        return False
    schema: JsonObject = {}
    for word, value in node.words.items():
        if isinstance(value, Node):
            schema[word] = (
                True if value.is_empty and word in WRITTEN_AS_BOOLEAN else values[id(value)]
            )
        elif isinstance(value, tuple):
            schema[word] = [values[id(item)] for item in value]
        elif isinstance(value, Members):
            schema[word] = {name: values[id(item)] for name, item in value.of.items()}
        else:
            schema[word] = value
    return schema
