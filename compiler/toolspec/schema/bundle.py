"""A schema made self-contained: what it refers to copied below its `$defs`, every reference inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.schema.resource import Resource
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject, JsonValue, Place
    from toolspec.syntax.pointer import Path

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


@dataclass(frozen=True, slots=True)
class Bundle:
    """A self-contained schema in 2020-12, all its subschemas, and where each reference leads.

    `copied` holds the schemas that were copied below `$defs`, by the name they have there.
    """

    value: JsonValue
    nodes: tuple[Subschema, ...]
    targets: Mapping[Path, Path]
    root: Resource
    copied: Mapping[str, Linked]

    def places(self, path: Path) -> Place:
        """Return where the author wrote what stands at a path."""
        linked = self.copied.get(str(path[1])) if len(path) > 1 and path[0] == "$defs" else None
        return linked.resource.places(path[2:]) if linked else self.root.places(path)

    @property
    def own(self) -> tuple[Subschema, ...]:
        """The subschemas that were not copied from elsewhere."""
        return self.root.nodes if self.copied else self.nodes


class Bundler:
    """Makes bundles of the schemas of one service; a copy that comes out the same is made once."""

    def __init__(self, schemas: Mapping[Key, Linked]) -> None:
        self._schemas = schemas
        self._copies: dict[tuple[Key, Path, tuple[Path, ...]], JsonValue] = {}

    def reachable(self, start: Linked) -> tuple[Key, ...]:
        """Return the other schemas that a schema needs, in the order in which it meets them."""
        met = {start.key: None}
        waiting = [start]
        for linked in waiting:
            for link in linked.links:
                if link.to not in met:
                    met[link.to] = None
                    waiting.append(self._schemas[link.to])
        return tuple(key for key in met if key != start.key)

    def bundle(self, start: Linked) -> Bundle:
        """Return a schema with all that it needs, each under its name, numbered where it is taken."""
        resource = start.resource
        others = self.reachable(start)
        own = resource.value.get("$defs") if isinstance(resource.value, dict) else None
        taken = set(own) if isinstance(own, dict) else set()
        roots: dict[Key, Path] = {start.key: ()}
        for key in others:
            name = numbered(self._schemas[key].name, taken)
            taken.add(name)
            roots[key] = ("$defs", name)
        copied = {str(roots[key][1]): self._schemas[key] for key in others}
        value = self._copy(start, roots)
        if isinstance(value, dict) and copied:
            copies: JsonObject = {name: self._copy(each, roots) for name, each in copied.items()}
            inside = value.get("$defs")
            value = {**value, "$defs": {**(inside if isinstance(inside, dict) else {}), **copies}}
        nodes = list(resource.nodes)
        targets = self._targets(start, roots)
        for name, linked in copied.items():
            nodes += [(("$defs", name, *path), node) for path, node in linked.resource.nodes]
            targets |= self._targets(linked, roots)
        return Bundle(value, tuple(nodes), targets, resource, copied)

    def _copy(self, linked: Linked, roots: Mapping[Key, Path]) -> JsonValue:
        """Return a schema with its references rewritten for a bundle; itself if none changes."""
        used = tuple(roots[link.to] for link in linked.links)
        known = (linked.key, roots[linked.key], used)
        if known not in self._copies:
            value = linked.resource.value
            for holder, target in self._local_targets(linked, roots):
                value = _replaced(value, holder, f"#{_fragment(target)}")
            self._copies[known] = value
        return self._copies[known]

    def _local_targets(
        self, linked: Linked, roots: Mapping[Key, Path]
    ) -> tuple[tuple[Path, Path], ...]:
        """Return where each reference leads in the bundle, by its holder in the schema itself."""
        root = roots[linked.key]
        inner = ((holder, (*root, *target)) for holder, target in linked.resource.inner)
        outer = ((link.holder, (*roots[link.to], *link.path)) for link in linked.links)
        return (*inner, *outer)

    def _targets(self, linked: Linked, roots: Mapping[Key, Path]) -> dict[Path, Path]:
        root = roots[linked.key]
        targets = self._local_targets(linked, roots)
        return {(*root, *holder): target for holder, target in targets}


def numbered(name: str, taken: set[str]) -> str:
    """Return a name that is not taken: itself, else with the lowest number from 2 that is free."""
    number, found = 2, name
    while found in taken:
        found = f"{name}{number}"
        number += 1
    return found


def _fragment(path: Path) -> str:
    return quote(format_pointer(path), safe="/~!$&'()*+,;=:@", errors="replace")


def _replaced(value: JsonValue, holder: Path, text: str) -> JsonValue:
    """Return a value in which the schema at a path refers to something else."""
    match value, holder:
        case dict(), ():
            return value if value.get("$ref") == text else {**value, "$ref": text}
        case dict(), (str(step), *rest):
            inner = _replaced(value[step], tuple(rest), text)
            return value if inner is value[step] else {**value, step: inner}
        case list(), (int(step), *rest):
            inner = _replaced(value[step], tuple(rest), text)
            if inner is value[step]:
                return value
            return [*value[:step], inner, *value[step + 1 :]]
    return value
