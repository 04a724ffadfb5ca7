"""Fast upper bound of complexity, which is enough for nearly all schemas."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, TypeAlias

from toolspec.schema.weight import MAX_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.schema.bundle import Key, Linked
    from toolspec.syntax.pointer import Path

# A part of a schema that is the target of a reference, or its root.
_Part: TypeAlias = "tuple[Key, Path]"

_TOO_MUCH = MAX_WEIGHT + 1
_LONGEST_CHAIN = 100


class Bounds:
    """Bounds complexity by adding all referenced subschemas, as if each was copied in.

    Recursion and long chains exceed it. Schemas over the bound need an exact computation.
    """

    def __init__(self, schemas: Mapping[Key, Linked]) -> None:
        self._schemas = schemas
        self._known: dict[_Part, int] = {}
        self._sizes: dict[Key, Counter[Path]] = {}
        # Targets of references, by schema and by each path around the reference.
        self._inside: dict[Key, defaultdict[Path, list[_Part]]] = {}

    def doubtful(self) -> tuple[Linked, ...]:
        """Return the schemas over the bound, and all that they refer to."""
        doubtful = {
            key: None
            for key, linked in self._schemas.items()
            if _may_be_heavy(linked)
            and any(self._bound((key, path), 0) > MAX_WEIGHT for path in _parts(linked))
        }
        waiting = list(doubtful)
        for key in waiting:
            for link in self._schemas[key].links:
                if link.to not in doubtful:
                    doubtful[link.to] = None
                    waiting.append(link.to)
        return tuple(self._schemas[key] for key in doubtful)

    def _bound(self, part: _Part, depth: int) -> int:
        known = self._known.get(part)
        if known is not None:
            return known
        if depth > _LONGEST_CHAIN:
            return _TOO_MUCH
        # A part that is met again before its size is known refers to itself.
        self._known[part] = _TOO_MUCH
        bound = self._size(part)
        for target in self._targets(part):
            bound += self._bound(target, depth + 1)
            if bound > MAX_WEIGHT:
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
            inside = (each[:2] for each, _ in nodes if each[:1] == ("$defs",))
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


def _may_be_heavy(linked: Linked) -> bool:
    """Return whether a schema has references, or alone too many subschemas for one value."""
    resource = linked.resource
    return bool(linked.links or resource.inner) or len(resource.nodes) > MAX_WEIGHT


def _parts(linked: Linked) -> Iterator[Path]:
    """Yield the parts of a schema that hold references: the root, and each of its `$defs`."""
    yield ()
    holders = [holder for holder, _ in linked.resource.inner]
    holders += [link.holder for link in linked.links]
    yield from {holder[:2]: None for holder in holders if holder[:1] == ("$defs",)}
