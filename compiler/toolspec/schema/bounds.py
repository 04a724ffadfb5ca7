"""Fast upper bound of complexity, which is enough for nearly all schemas."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, TypeAlias

from toolspec.schema.complexity import MAX_COMPLEXITY
from toolspec.schema.graph import closed_components
from toolspec.shared.keywords import CONTAINERS, IN_PLACE

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

    Long chains exceed the bound, and so does recursion that may apply to the same value. Schemas
    over the bound need an exact computation.
    """

    def __init__(self, schemas: Mapping[Key, LinkedSchema]) -> None:
        self._schemas = schemas
        self._cached: dict[_Part, int] = {}
        self._recursive: dict[Key, int] = {}
        self._sizes: dict[Key, Counter[Path]] = {}
        # Targets of references, by schema and by the path of each subschema that contains the
        # reference.
        self._targets_by_path: dict[Key, defaultdict[Path, list[_Part]]] = {}

    def doubtful(self) -> tuple[LinkedSchema, ...]:
        """Return the schemas over the bound, and all that they refer to."""
        self._bound_recursion()
        doubtful = {
            key: None
            for key, linked in self._schemas.items()
            if _may_be_too_complex(linked)
            and any(self._bound((key, path), 0) > MAX_COMPLEXITY for path in _parts(linked))
        }
        queue = list(doubtful)
        for key in queue:
            for link in self._schemas[key].links:
                if link.to not in doubtful:
                    doubtful[link.to] = None
                    queue.append(link.to)
        return tuple(self._schemas[key] for key in doubtful)

    def _bound_recursion(self) -> None:
        """Bound the schemas of cycles in which each reference applies to a part of the value.

        The bound of each is its size plus the sizes of the targets of these references.
        """
        referring = [linked for linked in self._schemas.values() if linked.links]
        numbers = {linked.key: number for number, linked in enumerate(referring)}
        edges = [
            [numbers[link.to] for link in linked.links if link.to in numbers]
            for linked in referring
        ]
        for members in closed_components(edges):
            cycle = {referring[number].key: referring[number] for number in members}
            if _is_recursion_through_parts(cycle):
                sizes = {
                    key: self._size_outside_cycle(linked, cycle) for key, linked in cycle.items()
                }
                bound = max(
                    sizes[key] + sum(sizes[link.to] for link in linked.links if link.to in cycle)
                    for key, linked in cycle.items()
                )
                self._recursive |= dict.fromkeys(cycle, bound)

    def _size_outside_cycle(self, linked: LinkedSchema, cycle: Container[Key]) -> int:
        """Return the bound of a schema without its references to a cycle."""
        targets = ((link.to, link.path) for link in linked.links if link.to not in cycle)
        return len(linked.resource.nodes) + sum(self._bound(target, 1) for target in targets)

    def _bound(self, part: _Part, depth: int) -> int:
        if part[0] in self._recursive:
            return self._recursive[part[0]]
        cached = self._cached.get(part)
        if cached is not None:
            return cached
        if depth > _LONGEST_CHAIN:
            return _TOO_MUCH
        # A part that is visited again before its size is known refers to itself.
        self._cached[part] = _TOO_MUCH
        bound = self._size(part)
        for target in self._targets(part):
            bound += self._bound(target, depth + 1)
            if bound > MAX_COMPLEXITY:
                return _TOO_MUCH
        self._cached[part] = bound
        return bound

    def _size(self, part: _Part) -> int:
        """Return the maximum number of subschemas of a part."""
        key, path = part
        resource = self._schemas[key].resource
        nodes = resource.nodes
        if "$defs" not in resource.words:
            return len(nodes)
        if key not in self._sizes:
            in_definitions = (inner[:2] for inner, _ in nodes if inner[:1] == ("$defs",))
            self._sizes[key] = Counter(in_definitions)
        sizes = self._sizes[key]
        if not path:
            return len(nodes) - sizes.total()
        return sizes.get(path[:2]) or len(nodes)

    def _targets(self, part: _Part) -> list[_Part]:
        """Return the targets of the references in a part; the root does not include its `$defs`."""
        key, path = part
        if key not in self._targets_by_path:
            by_holder: defaultdict[Path, list[_Part]] = defaultdict(list)
            self._targets_by_path[key] = by_holder
            linked = self._schemas[key]
            references = [(holder, (key, target)) for holder, target in linked.resource.inner]
            references += [(link.holder, (link.to, link.path)) for link in linked.links]
            for holder, target_part in references:
                if holder[:1] != ("$defs",):
                    by_holder[()].append(target_part)
                for length in range(1, len(holder) + 1):
                    by_holder[holder[:length]].append(target_part)
        return self._targets_by_path[key].get(path, [])


def _is_recursion_through_parts(cycle: Mapping[Key, LinkedSchema]) -> bool:
    """Return whether each reference of a cycle applies to a part of the value."""
    links = [link for linked in cycle.values() for link in linked.links if link.to in cycle]
    resources = [linked.resource for linked in cycle.values()]
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
