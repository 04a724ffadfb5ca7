"""State of a tool during lowering, passed from step to step with reachable definitions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.providers.features import references
from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.node import Members, Node, below, every
from toolspec.schema.definitions import definition_in
from toolspec.shared.reachability import reachable
from toolspec.shared.records import dataclass, replace
from toolspec.syntax.pointer import format_pointer, parse_fragment, parse_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolspec.ir import Tool
    from toolspec.providers.node import Note, Pointers
    from toolspec.providers.profile import Limits, Options


def without_unused(root: Node) -> Node:
    """Return a schema without unreachable definitions."""
    if "$defs" not in root:
        return root
    bodies = root.named("$defs")
    used = reachable(
        _named(root.without("$defs"), bodies), lambda name: _named(bodies[name], bodies)
    )
    if not used:
        return root.without("$defs")
    if len(used) == len(bodies):
        return root
    return root.having("$defs", Members({name: bodies[name] for name in bodies if name in used}))


def location_of(reference: str) -> str | None:
    """Return the pointer of a reference's target; None for a reference out of its schema."""
    if reference[:1] != "#" or reference[1:2] not in {"", "/"}:
        return None
    return format_pointer(parse_fragment(reference[1:]))


def _named(node: Node, bodies: Mapping[str, Node]) -> Iterator[str]:
    """Yield the root's definitions that a node's references lead to, or into."""
    for text in references(node):
        name = definition_in(text) if text.startswith("#/$defs/") else None
        if name is not None and name in bodies:
            yield name


IMPOSSIBLE = "no value satisfies it"
"""Detail of entries for a schema that no value satisfies."""

_NONE = frozenset[str]()


def words_of(root: Node) -> frozenset[str]:
    """Return all keywords of a schema and its subschemas."""
    return frozenset().union(*(node.words for node in every(root)))


@dataclass(frozen=True, slots=True)
class Draft:
    """A tool during lowering; `root` is None once a step has left out the parameters.

    `outcome` is that of a keyword that other keywords express. `entries` are the outcomes so far,
    `words` the remaining keywords. `written_notes` are those in the description. `is_overgrown`
    means that the schema outgrew a step: the tool is refused, and further steps would only process
    a schema that is not sent.
    """

    tool: Tool
    outcome: Outcome
    name: str
    description: str
    root: Node | None
    entries: tuple[Entry, ...] = ()
    words: frozenset[str] = frozenset()
    written_notes: tuple[Note, ...] = ()
    is_overgrown: bool = False

    def resolve(self, reference: str) -> Node | None:
        """Return the target of a reference: `#`, or a definition of the root."""
        if self.root is None or reference == "#":
            return self.root
        return self.root.named("$defs").get(reference.removeprefix("#/$defs/"))

    def having(self, root: Node | None, entries: Iterable[Entry] = ()) -> Draft:
        """Return the draft with another schema, and with the entries of changed keywords.

        Definitions that become unreachable are removed.
        """
        added = tuple(entries)
        if root is self.root:
            return replace(self, entries=(*self.entries, *added)) if added else self
        root = without_unused(root) if root else None
        return replace(
            self,
            root=root,
            entries=(*self.entries, *added),
            words=words_of(root) if root else _NONE,
        )

    def lacks(self, *words: str) -> bool:
        """Return whether no schema has any of the keywords, so that a step can be skipped."""
        return self.root is None or self.words.isdisjoint(words)


Step: TypeAlias = "Callable[[Draft, Options], Draft]"
LimitStep: TypeAlias = "Callable[[Draft, Options, Limits], Draft]"


def entries(origins: Pointers, outcome: Outcome, step: str, detail: str = "") -> Iterator[Entry]:
    """Yield entries for keywords, by their pointers."""
    for at in origins:
        yield Entry(at, parse_pointer(at)[-1] if at else "", outcome, step, detail)


def lost(
    node: Node, words: Iterable[str], outcome: Outcome, step: str, detail: str = ""
) -> Iterator[Entry]:
    """Yield entries for some keywords of a schema, and for all subschemas and notes below them.

    Notes of the schema itself are included only if all of its keywords are.
    """
    named = set(words)
    if named >= node.words.keys():
        yield from _noted(node, outcome, step, detail)
    for word in node.words:
        if word in named:
            yield from entries(node.origins.get(word, ()), outcome, step, detail)
    stack = [child for word, _, child in below(node) if word in named]
    while stack:
        child = stack.pop()
        for at in child.origins.values():
            yield from entries(at, outcome, step, detail)
        yield from _noted(child, outcome, step, detail)
        stack += [inner for _, _, inner in below(child)]


def impossible(node: Node, step: str, words: Iterable[str] | None = None) -> Iterator[Entry]:
    """Yield the entries of a schema that no value satisfies: for all its keywords, or for some."""
    yield from lost(node, node.words if words is None else words, Outcome.DROPPED, step, IMPOSSIBLE)


def _noted(node: Node, outcome: Outcome, step: str, detail: str) -> Iterator[Entry]:
    for note in node.notes:
        yield from entries(note.origins, outcome, step, detail)


def implied(node: Node, keyword: str, outcome: Outcome, step: str, detail: str = "") -> Entry:
    """Return the entry for an absent keyword whose default meaning has changed."""
    return Entry(f"{node.location}/{keyword}", keyword, outcome, step, detail)
