"""Fast upper bound of complexity, which is enough for nearly all schemas."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, TypeAlias

from toolspec.schema.complexity import MAX_COMPLEXITY
from toolspec.schema.graph import closed_components
from toolspec.schema.keywords import CONTAINERS, IN_PLACE

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from toolspec.schema.bundle import Key, LinkedSchema
    from toolspec.syntax.pointer import Path

# A part of a schema that is the target of a reference, or its root.
_Part: TypeAlias = "tuple[Key, Path]"

_TOO_MUCH = MAX_COMPLEXITY + 1
_LONGEST_CHAIN = 100


class Bounds:
    """Bounds complexity by adding all referenced subschemas, as if each was copied in.

    Long chains exceed it, and recursion does where it may apply to the same value. Schemas over the
    bound need an exact computation.
    """

    def __init__(self, schemas: Mapping[Key, LinkedSchema]) -> None:
        self._schemas = schemas
        self._known: dict[_Part, int] = {}
        self._recursive: dict[Key, int] = {}
        self._sizes: dict[Key, Counter[Path]] = {}
        # Targets of references, by schema and by each path around the reference.
        self._inside: dict[Key, defaultdict[Path, list[_Part]]] = {}

    def doubtful(self) -> tuple[LinkedSchema, ...]:
        """Return the schemas over the bound, and all that they refer to."""
        self._bound_recursion()
        doubtful = {
            key: None
            for key, linked in self._schemas.items()
            if _may_be_too_complex(linked)
            and any(self._bound((key, path), 0) > MAX_COMPLEXITY for path in _parts(linked))
        }
        waiting = list(doubtful)
        for key in waiting:
            for link in self._schemas[key].links:
                if link.to not in doubtful:
                    doubtful[link.to] = None
                    waiting.append(link.to)
        return tuple(self._schemas[key] for key in doubtful)

    def _bound_recursion(self) -> None:
        """Bound schemas that refer to each other for parts of the value alone.

        Such a reference counts once where it enters a part. What it enters, itself a part of the value,
        counts as if it was copied in.
        """
        referring = [linked for linked in self._schemas.values() if linked.links]
        numbers = {linked.key: number for number, linked in enumerate(referring)}
        edges = [
            [numbers[link.to] for link in linked.links if link.to in numbers]
            for linked in referring
        ]
        for members in closed_components(edges):
            circle = {referring[number].key: referring[number] for number in members}
            if _enters_parts(circle):
                sizes = {key: self._size_outside(linked, circle) for key, linked in circle.items()}
                bound = max(
                    sizes[key] + sum(sizes[link.to] for link in linked.links if link.to in circle)
                    for key, linked in circle.items()
                )
                self._recursive |= dict.fromkeys(circle, bound)

    def _size_outside(self, linked: LinkedSchema, circle: Container[Key]) -> int:
        """Return the bound of a schema without those of a circle that it refers to."""
        leads = ((link.to, link.path) for link in linked.links if link.to not in circle)
        return len(linked.resource.nodes) + sum(self._bound(lead, 1) for lead in leads)

    def _bound(self, part: _Part, depth: int) -> int:
        if part[0] in self._recursive:
            return self._recursive[part[0]]
        cached = self._known.get(part)
        if cached is not None:
            return cached
        if depth > _LONGEST_CHAIN:
            return _TOO_MUCH
        # A part that is visited again before its size is known refers to itself.
        self._known[part] = _TOO_MUCH
        bound = self._size(part)
        for target in self._targets(part):
            bound += self._bound(target, depth + 1)
            if bound > MAX_COMPLEXITY:
                return _TOO_MUCH
        self._known[part] = bound
        return bound

    def _size(self, part: _Part) -> int:
        """Return the maximum number of subschemas of a part."""
        key, path = part
        resource = self._schemas[key].resource
        nodes = resource.nodes
        if "$defs" not in resource.words:
            return len(nodes)
        if key not in self._sizes:
            inside = (inner[:2] for inner, _ in nodes if inner[:1] == ("$defs",))
            self._sizes[key] = Counter(inside)
        sizes = self._sizes[key]
        if not path:
            return len(nodes) - sizes.total()
        return sizes.get(path[:2]) or len(nodes)

    def _targets(self, part: _Part) -> list[_Part]:
        """Return the targets of the references in a part; the root does not include its `$defs`."""
        key, path = part
        if key not in self._inside:
            inside: defaultdict[Path, list[_Part]] = defaultdict(list)
            self._inside[key] = inside
            linked = self._schemas[key]
            leads = [(holder, (key, target)) for holder, target in linked.resource.inner]
            leads += [(link.holder, (link.to, link.path)) for link in linked.links]
            for holder, target_part in leads:
                if holder[:1] != ("$defs",):
                    inside[()].append(target_part)
                for length in range(1, len(holder) + 1):
                    inside[holder[:length]].append(target_part)
        return self._inside[key].get(path, [])


def _enters_parts(circle: Mapping[Key, LinkedSchema]) -> bool:
    """Return whether schemas form a circle in which each reference is for a part of the value."""
    links = [link for linked in circle.values() for link in linked.links if link.to in circle]
    resources = [linked.resource for linked in circle.values()]
    return (
        bool(links)
        and all(not link.path and _is_inside(link.holder) for link in links)
        and all(
            not resource.inner and CONTAINERS.isdisjoint(resource.words) for resource in resources
        )
    )


def _is_inside(holder: Path) -> bool:
    return bool(holder) and holder[0] not in IN_PLACE


def _may_be_too_complex(linked: LinkedSchema) -> bool:
    """Return whether a schema has references, or alone too many subschemas for one value."""
    resource = linked.resource
    return bool(linked.links or resource.inner) or len(resource.nodes) > MAX_COMPLEXITY


def _parts(linked: LinkedSchema) -> Iterator[Path]:
    """Yield the parts of a schema that hold references: the root, and each of its `$defs`."""
    yield ()
    holders = [holder for holder, _ in linked.resource.inner]
    holders += [link.holder for link in linked.links]
    yield from {holder[:2]: None for holder in holders if holder[:1] == ("$defs",)}
