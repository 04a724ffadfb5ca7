"""Makes schemas self-contained: copies referenced schemas into `$defs`, rewrites references."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from toolspec.shared.records import dataclass, field
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path

# Limit on copies: in the worst case every schema of a service is copied into every other.
MAX_COPIES = 1_000

# Identity of a schema: its file, and its path in it.
Key: TypeAlias = "tuple[str, Path]"


@dataclass(frozen=True, slots=True)
class Link:
    """Target of a reference to another schema: that schema of the project, and a path in it."""

    holder: Path
    to: Key
    path: Path


@dataclass(frozen=True, slots=True)
class LinkedSchema:
    """A schema with resolved outer references; `name` is its key in the `$defs` of others."""

    key: Key
    name: str
    resource: Resource
    links: tuple[Link, ...] = ()

    def targets(self, roots: Mapping[Key, Path]) -> Iterator[tuple[Path, Path]]:
        """Yield the holder and target of each reference in a bundle with these roots."""
        root = roots[self.key]
        yield from ((holder, (*root, *target)) for holder, target in self.resource.inner)
        yield from ((link.holder, (*roots[link.to], *link.path)) for link in self.links)


@dataclass(frozen=True, slots=True)
class Copies:
    """Schemas copied into the `$defs` of a bundle.

    `linked` has the schemas by their key there, `roots` the path of each, and `values` the copies.
    `shared` maps each key to the name of the service's definition.
    """

    linked: Mapping[str, LinkedSchema]
    roots: Mapping[Key, Path]
    values: JsonObject
    shared: tuple[tuple[str, str], ...]


_NO_COPIES = Copies({}, {}, {}, ())


class Bundle:
    """A self-contained schema in 2020-12, created on first access.

    Most bundles are never accessed, and all their copies together grow with the square of the
    number of definitions. Without `make`, the bundle is the schema without its referenced schemas.
    """

    def __init__(
        self, root: LinkedSchema, make: Callable[[], tuple[JsonValue, Copies]] | None = None
    ) -> None:
        self.root = root
        self._make = make

    @property
    def is_alone(self) -> bool:
        """Return whether the schema has no references."""
        return self._make is None

    @cached_property
    def _contents(self) -> tuple[JsonValue, Copies]:
        return self._make() if self._make else (self.root.resource.value, _NO_COPIES)

    @property
    def value(self) -> JsonValue:
        """The schema with all referenced schemas in its `$defs`."""
        return self._contents[0]

    @property
    def shared(self) -> tuple[tuple[str, str], ...]:
        """Keys of the copies, each with the name of the service's definition."""
        return self._contents[1].shared

    @property
    def copied(self) -> Mapping[str, LinkedSchema]:
        """Schemas copied into its `$defs`, by key."""
        return self._contents[1].linked

    @cached_property
    def roots(self) -> Mapping[Key, Path]:
        """Path of each of its schemas."""
        return {**self._contents[1].roots, self.root.key: ()}

    @cached_property
    def size(self) -> int:
        """Number of its subschemas."""
        return sum(len(linked.resource.nodes) for linked in (self.root, *self.copied.values()))

    def locations(self, path: Path) -> Location:
        """Return the source location of a path."""
        copied = self.copied.get(str(path[1])) if len(path) > 1 and path[0] == "$defs" else None
        return copied.resource.locations(path[2:]) if copied else self.root.resource.locations(path)

    def holders(self) -> Iterator[Path]:
        """Yield the paths of the root's references, and of each copy as a whole."""
        yield from (holder for holder, _ in self.root.targets(self.roots))
        yield from (("$defs", name) for name in self.copied)

    def nodes(self) -> dict[Path, JsonObject | bool]:
        """Return all subschemas by path, those of copies included."""
        return {
            (*self.roots[linked.key], *path): node
            for linked in (self.root, *self.copied.values())
            for path, node in linked.resource.nodes
        }

    def targets(self) -> dict[Path, Path]:
        """Return the target of each reference, by the path of its holder."""
        return {
            (*self.roots[linked.key], *holder): target
            for linked in (self.root, *self.copied.values())
            for holder, target in linked.targets(self.roots)
        }


class Bundler:
    """Makes bundles of the schemas of one service; equal copies are made once."""

    def __init__(self, schemas: Mapping[Key, LinkedSchema]) -> None:
        self._schemas = schemas
        self._copies: dict[tuple[Key, Path, tuple[Path, ...]], JsonValue] = {}
        self._references: dict[Key, tuple[Key, ...]] = {}
        self._entries: dict[Key, JsonValue] = {}
        # By referenced schemas: schemas with the same references share their copies.
        self._shared: dict[tuple[Key, ...], Copies] = {}

    def bundle(self, root: LinkedSchema) -> Bundle:
        """Return a schema with all its references in `$defs`; colliding names are numbered."""
        has_references = root.links or root.resource.inner
        return Bundle(root, (lambda: self._contents(root)) if has_references else None)

    def _contents(self, root: LinkedSchema) -> tuple[JsonValue, Copies]:
        value = root.resource.value
        defs = value.get("$defs") if isinstance(value, dict) else None
        own_definitions = defs if isinstance(defs, dict) else {}
        copies = self._shared_copies(self._referenced(root.key))
        if (
            copies is None
            or root.key in copies.roots
            or not own_definitions.keys().isdisjoint(copies.linked)
        ):
            copies = self._own_copies(root, own_definitions)
        roots = {key: copies.roots[key] for key in self._referenced(root.key)}
        value = self._copy(root, {**roots, root.key: ()})
        if isinstance(value, dict) and copies.values:
            # Schemas with the same references share one `$defs` object: results about it apply to
            # all.
            value = {
                **value,
                "$defs": {**own_definitions, **copies.values} if own_definitions else copies.values,
            }
        return value, copies

    def _shared_copies(self, keys: tuple[Key, ...]) -> Copies | None:
        """Return copies of schemas and all that they refer to; None if two share a name."""
        if keys not in self._shared:
            reachable = [self._schemas[key] for key in self._reachable(keys)]
            linked = {schema.name: schema for schema in reachable}
            if len(linked) < len(reachable):
                return None
            roots: dict[Key, Path] = {schema.key: ("$defs", schema.name) for schema in reachable}
            values = {schema.name: self.entry(schema.key) for schema in reachable}
            shared = tuple((name, name) for name in linked)
            self._shared[keys] = Copies(linked, roots, values, shared)
        return self._shared[keys]

    def _own_copies(self, root: LinkedSchema, own_definitions: JsonObject) -> Copies:
        """Return copies for one root; references to it, and to renamed schemas, are rewritten."""
        names_in_use = set(own_definitions)
        linked: dict[str, LinkedSchema] = {}
        roots: dict[Key, Path] = {root.key: ()}
        is_numbered = False
        for key in self._reachable(self._referenced(root.key)):
            if key == root.key:
                continue
            schema = self._schemas[key]
            name = numbered(schema.name, names_in_use)
            is_numbered = is_numbered or name != schema.name
            names_in_use.add(name)
            linked[name], roots[key] = schema, ("$defs", name)
        values: JsonObject = {
            name: self._copy(schema, roots)
            if is_numbered or root.key in self._referenced(schema.key)
            else self.entry(schema.key)
            for name, schema in linked.items()
        }
        shared = tuple((name, schema.name) for name, schema in linked.items())
        return Copies(linked, roots, values, shared)

    def entry(self, key: Key) -> JsonValue:
        """Return the copy of a schema for a `$defs` in which no schema is renamed."""
        if key not in self._entries:
            keys = (key, *self._referenced(key))
            roots: dict[Key, Path] = {other: ("$defs", self._schemas[other].name) for other in keys}
            self._entries[key] = self._copy(self._schemas[key], roots)
        return self._entries[key]

    def combined_definitions(self, keys: Iterable[Key]) -> tuple[dict[Key, Path], JsonObject]:
        """Return one `$defs` with some schemas and all that they refer to, and the path of each."""
        roots: dict[Key, Path] = {}
        names_in_use: set[str] = set()
        for key in self._reachable(tuple(keys)):
            name = numbered(self._schemas[key].name or f"schema{len(names_in_use)}", names_in_use)
            names_in_use.add(name)
            roots[key] = ("$defs", name)
        copies: JsonObject = {}
        for key, path in roots.items():
            own_roots = {other: roots[other] for other in (key, *self._referenced(key))}
            copies[str(path[1])] = self._copy(self._schemas[key], own_roots)
        return roots, copies

    def _referenced(self, key: Key) -> tuple[Key, ...]:
        """Return the other schemas that a schema refers to, each once."""
        if key not in self._references:
            self._references[key] = tuple(
                dict.fromkeys(link.to for link in self._schemas[key].links)
            )
        return self._references[key]

    def _reachable(self, keys: tuple[Key, ...]) -> list[Key]:
        """Return some schemas and all that they refer to, in the order of discovery."""
        reachable = list(keys)
        visited = set(keys)
        for key in reachable:
            for other in self._referenced(key):
                if other not in visited:
                    visited.add(other)
                    reachable.append(other)
        return reachable

    def _copy(self, linked: LinkedSchema, roots: Mapping[Key, Path]) -> JsonValue:
        """Return a schema with its references rewritten for a bundle; the same object if none changes."""
        target_roots = tuple(roots[link.to] for link in linked.links)
        copy_key = (linked.key, roots[linked.key], target_roots)
        if copy_key not in self._copies:
            changes = _Changes()
            for holder, target in linked.targets(roots):
                reference = f"#{_fragment(target)}"
                if linked.resource.texts[holder] != reference:
                    inner = changes
                    for step in holder:
                        inner = inner.members.setdefault(step, _Changes())
                    inner.reference = reference
            value = _replaced(linked.resource.value, changes)
            self._copies[copy_key] = value
        return self._copies[copy_key]


def numbered(name: str, names_in_use: Container[str]) -> str:
    """Return an unused name: the name itself, or with the lowest free number from 2."""
    number, candidate = 2, name
    while candidate in names_in_use:
        candidate = f"{name}{number}"
        number += 1
    return candidate


def _fragment(path: Path) -> str:
    return quote(format_pointer(path), safe="/~!$&'()*+,;=:@", errors="replace")


@dataclass(slots=True)
class _Changes:
    """Changes of a value: its new reference, and changes of its members."""

    reference: str = ""
    members: dict[str | int, _Changes] = field(default_factory=dict)


def _replaced(value: JsonValue, changes: _Changes) -> JsonValue:
    """Return a value with some references replaced; each changed holder is copied once."""
    if not changes.members and not changes.reference:
        return value
    if isinstance(value, list):
        items = list(value)
        for step, inner in changes.members.items():
            assert isinstance(step, int), "a step into a list"
            items[step] = _replaced(items[step], inner)
        return items
    assert isinstance(value, dict), "a path of a reference"
    members = dict(value)
    for step, inner in changes.members.items():
        members[str(step)] = _replaced(members[str(step)], inner)
    if changes.reference:
        members["$ref"] = changes.reference
    return members
