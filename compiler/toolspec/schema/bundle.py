"""A schema made self-contained: what it refers to copied below its `$defs`, every reference inside."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import JsonObject, JsonValue, Place
    from toolspec.syntax.pointer import Path

# Each of so many could be copied into each: past this a service's bundles outgrow the memory.
MAX_COPIES = 1_000

# A schema's identity: its file, and its path in it.
Key: TypeAlias = "tuple[str, Path]"


@dataclass(frozen=True, slots=True)
class Link:
    """Where a reference out of a schema leads: another schema of the project, and a path in it."""

    holder: Path
    to: Key
    path: Path


@dataclass(frozen=True, slots=True)
class Linked:
    """A schema whose outer references are resolved; `name` is what others call it in `$defs`."""

    key: Key
    name: str
    resource: Resource
    links: tuple[Link, ...] = ()

    def targets(self, roots: Mapping[Key, Path]) -> Iterator[tuple[Path, Path]]:
        """Yield where each reference leads, by its holder here, once every schema has a root."""
        root = roots[self.key]
        yield from ((holder, (*root, *target)) for holder, target in self.resource.inner)
        yield from ((link.holder, (*roots[link.to], *link.path)) for link in self.links)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A self-contained schema in 2020-12.

    `copied` holds the schemas that were copied below its `$defs`, by the name they have there, and
    `roots` where each schema of it begins.
    """

    value: JsonValue
    root: Linked
    copied: Mapping[str, Linked]
    roots: Mapping[Key, Path]

    def places(self, path: Path) -> Place:
        """Return where the author wrote what stands at a path."""
        copied = self.copied.get(str(path[1])) if len(path) > 1 and path[0] == "$defs" else None
        return copied.resource.places(path[2:]) if copied else self.root.resource.places(path)

    def holders(self) -> Iterator[Path]:
        """Yield where references stand: those of the root, and the copies as wholes."""
        yield from (holder for holder, _ in self.root.targets(self.roots))
        yield from (("$defs", name) for name in self.copied)

    def nodes(self) -> dict[Path, JsonObject | bool]:
        """Return all subschemas by their paths, those of copies too."""
        return {
            (*self.roots[linked.key], *path): node
            for linked in (self.root, *self.copied.values())
            for path, node in linked.resource.nodes
        }

    def targets(self) -> dict[Path, Path]:
        """Return where each reference leads, by the path of the schema that holds it."""
        return {
            (*self.roots[linked.key], *holder): target
            for linked in (self.root, *self.copied.values())
            for holder, target in linked.targets(self.roots)
        }


class Bundler:
    """Makes bundles of the schemas of one service; a copy that comes out the same is made once."""

    def __init__(self, schemas: Mapping[Key, Linked]) -> None:
        self._schemas = schemas
        self._copies: dict[tuple[Key, Path, tuple[Path, ...]], JsonValue] = {}
        self._needs: dict[Key, tuple[Key, ...]] = {}
        self._entries: dict[Key, JsonValue] = {}

    def bundle(self, root: Linked) -> Bundle | None:
        """Return a schema with all that it needs, each under its name, numbered where it is taken.

        None if it needs more than `MAX_COPIES` others.
        """
        value = root.resource.value
        if not root.links and not root.resource.inner:
            return Bundle(value, root, {}, {root.key: ()})
        own = value.get("$defs") if isinstance(value, dict) else None
        inside = own if isinstance(own, dict) else {}
        taken = set(inside)
        copied: dict[str, Linked] = {}
        roots: dict[Key, Path] = {root.key: ()}
        is_numbered = False
        for linked in self._reachable(root):
            if len(copied) == MAX_COPIES:
                return None
            name = numbered(linked.name, taken)
            is_numbered = is_numbered or name != linked.name
            taken.add(name)
            copied[name], roots[linked.key] = linked, ("$defs", name)
        value = self._copy(root, roots)
        if isinstance(value, dict) and copied:
            copies: JsonObject = {
                name: self._copy(each, roots)
                if is_numbered or root.key in self._needed(each.key)
                else self.entry(each.key)
                for name, each in copied.items()
            }
            value = {**value, "$defs": {**inside, **copies}}
        return Bundle(value, root, copied, roots)

    def entry(self, key: Key) -> JsonValue:
        """Return a schema as it is beside all others below one `$defs`, each under its own name."""
        if key not in self._entries:
            keys = (key, *self._needed(key))
            roots: dict[Key, Path] = {each: ("$defs", self._schemas[each].name) for each in keys}
            self._entries[key] = self._copy(self._schemas[key], roots)
        return self._entries[key]

    def _needed(self, key: Key) -> tuple[Key, ...]:
        """Return the other schemas that a schema refers to, each once."""
        if key not in self._needs:
            self._needs[key] = tuple(dict.fromkeys(link.to for link in self._schemas[key].links))
        return self._needs[key]

    def _reachable(self, root: Linked) -> Iterator[Linked]:
        """Yield the other schemas that a schema needs, in the order in which it meets them."""
        met = {root.key}
        waiting = deque((root.key,))
        while waiting:
            for key in self._needed(waiting.popleft()):
                if key not in met:
                    met.add(key)
                    waiting.append(key)
                    yield self._schemas[key]

    def _copy(self, linked: Linked, roots: Mapping[Key, Path]) -> JsonValue:
        """Return a schema with its references rewritten for a bundle; itself if none changes."""
        used = tuple(roots[link.to] for link in linked.links)
        known = (linked.key, roots[linked.key], used)
        if known not in self._copies:
            changes = _Changes()
            for holder, target in linked.targets(roots):
                meant = f"#{_fragment(target)}"
                if linked.resource.texts[holder] != meant:
                    inner = changes
                    for step in holder:
                        inner = inner.below.setdefault(step, _Changes())
                    inner.reference = meant
            value = _replaced(linked.resource.value, changes)
            self._copies[known] = value
        return self._copies[known]


def numbered(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: itself, else with the lowest number from 2 that is free."""
    number, found = 2, name
    while found in taken:
        found = f"{name}{number}"
        number += 1
    return found


def _fragment(path: Path) -> str:
    return quote(format_pointer(path), safe="/~!$&'()*+,;=:@", errors="replace")


@dataclass(slots=True)
class _Changes:
    """What is to change in a value: the reference that it is to have, and changes below its steps."""

    reference: str = ""
    below: dict[str | int, _Changes] = field(default_factory=dict)


def _replaced(value: JsonValue, changes: _Changes) -> JsonValue:
    """Return a value in which some schemas refer to something else, each holder copied once."""
    if not changes.below and not changes.reference:
        return value
    if isinstance(value, list):
        items = list(value)
        for step, inner in changes.below.items():
            assert isinstance(step, int), "a step into a list"
            items[step] = _replaced(items[step], inner)
        return items
    assert isinstance(value, dict), "a path of a reference"
    members = dict(value)
    for step, inner in changes.below.items():
        members[str(step)] = _replaced(members[str(step)], inner)
    if changes.reference:
        members["$ref"] = changes.reference
    return members
