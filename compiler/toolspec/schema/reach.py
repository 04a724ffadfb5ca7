"""Transitive references between the schemas of a service, for chains of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.graph import closed_components

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.schema.bundle import Key, LinkedSchema


class Reach:
    """Sets of referenced schemas as integers with a bit for each schema, which keeps them small."""

    def __init__(self, schemas: Mapping[Key, LinkedSchema]) -> None:
        numbers = {key: number for number, key in enumerate(schemas)}
        edges = [
            tuple(dict.fromkeys(numbers[link.to] for link in linked.links))
            for linked in schemas.values()
        ]
        targets = dict.fromkeys(other for others in edges for other in others)
        bits = [0] * len(edges)
        for position, number in enumerate(targets):
            bits[number] = 1 << position
        sets = [0] * len(edges)
        for members in closed_components(edges):
            reached = 0
            for member in members:
                for other in edges[member]:
                    reached |= sets[other] | bits[other]
            for member in members:
                sets[member] = reached
        self._bits = dict(zip(schemas, bits, strict=True))
        self._reachable = {key: sets[number] & ~bits[number] for key, number in numbers.items()}

    def count(self, key: Key) -> int:
        """Return the number of other schemas that a schema refers to, directly or not."""
        return self._reachable[key].bit_count()

    def as_set(self, keys: Iterable[Key]) -> int:
        """Return a set of schemas for `reaches_any_of`, without unreferenced ones."""
        bits = 0
        for key in keys:
            bits |= self._bits[key]
        return bits

    def reaches_any_of(self, key: Key, others: int) -> bool:
        """Return whether a schema refers to another one of a set, directly or not."""
        return bool(self._reachable[key] & others)
