"""Graph of a self-contained schema: which subschemas a validation enters, and on which value."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from toolspec.schema.walk import children
from toolspec.shared.keywords import APPLICATORS, CONTAINERS, IN_PLACE
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject
    from toolspec.syntax.pointer import Path

_ENTERING = frozenset(APPLICATORS)


@dataclass(frozen=True, slots=True)
class Node:
    """One subschema, and the numbers of the subschemas that its validation enters.

    `same` apply to the same value and all count (`allOf`, `not`, `$ref` …), `choices` has lists of
    alternatives (`anyOf`, `oneOf`). `members` are the schemas of named properties, of which one
    applies to each member; `parts` are all others that apply to a part of the value. `refers` is
    true for a schema with a `$ref`.
    """

    path: Path
    same: tuple[int, ...]
    choices: tuple[tuple[int, ...], ...]
    members: tuple[int, ...]
    parts: tuple[int, ...]
    refers: bool = False

    @property
    def in_place(self) -> tuple[int, ...]:
        """Subschemas that apply to the same value."""
        return tuple(chain(self.same, *self.choices)) if self.choices else self.same

    @property
    def inside(self) -> tuple[int, ...]:
        """Subschemas that apply to a part of the value."""
        return self.members + self.parts


def build(nodes: Iterable[Subschema], targets: Mapping[Path, Path]) -> tuple[Node, ...]:
    """Return the graph of a bundle; `targets` has the target of each reference."""
    nodes = tuple(nodes)
    numbers = {path: number for number, (path, _) in enumerate(nodes)}
    return tuple(
        _node(path, node, numbers, targets.get(path))
        if path in targets or (isinstance(node, dict) and not _ENTERING.isdisjoint(node))
        else Node(path, (), (), (), ())
        for path, node in nodes
    )


def _node(
    path: Path, node: JsonObject | bool, numbers: Mapping[Path, int], target: Path | None
) -> Node:
    same: list[int] = [] if target is None else [numbers[target]]
    members: list[int] = []
    parts: list[int] = []
    choices: dict[str, list[int]] = {"anyOf": [], "oneOf": []}
    for subschema_path, _ in children(node, path) if isinstance(node, dict) else ():
        keyword = str(subschema_path[len(path)])
        number = numbers.get(subschema_path)
        if number is None or keyword in CONTAINERS:
            continue
        if keyword in choices:
            choices[keyword].append(number)
        elif keyword in IN_PLACE:
            same.append(number)
        else:
            (members if keyword == "properties" else parts).append(number)
    branches = tuple(tuple(choice) for choice in choices.values() if choice)
    return Node(
        path, tuple(same), branches, tuple(members), tuple(parts), refers=target is not None
    )


def components(edges: Sequence[Sequence[int]]) -> list[int]:
    """Return the number of each node's strongly connected component.

    Two nodes share it exactly if each is reachable from the other.
    """
    component = [-1] * len(edges)
    for members in closed_components(edges):
        for member in members:
            component[member] = members[-1]
    return component


def closed_components(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the strongly connected components of a graph, each after its successors.

    Tarjan's algorithm with an explicit stack, because chains of references have any length.
    """
    walk = _Tarjan(edges)
    for number, others in enumerate(edges):
        if walk.index[number] >= 0:
            continue
        if not others:
            walk.close_alone(number)
        else:
            walk.visit(number)
    return walk.closed


class _Tarjan:
    """State of one search for components."""

    def __init__(self, edges: Sequence[Sequence[int]]) -> None:
        self._edges = edges
        self._open: list[int] = []
        self._low = [0] * len(edges)
        self._is_closed = [False] * len(edges)
        self._entered = 0
        self.index = [-1] * len(edges)
        self.closed: list[list[int]] = []

    def close_alone(self, number: int) -> None:
        """Close a node without edges, as most schemas are."""
        self.index[number] = self._entered
        self._entered += 1
        self._is_closed[number] = True
        self.closed.append([number])

    def visit(self, start: int) -> None:
        work = [(start, self._enter(start))]
        while work:
            number, edges = work[-1]
            for other in edges:
                if self._is_closed[other]:
                    continue
                if self.index[other] >= 0:
                    self._low[number] = min(self._low[number], self.index[other])
                elif self._edges[other]:
                    work.append((other, self._enter(other)))
                    break
                else:
                    self.close_alone(other)
            else:
                work.pop()
                self._leave(number, work[-1][0] if work else number)

    def _enter(self, number: int) -> Iterator[int]:
        self.index[number] = self._low[number] = self._entered
        self._entered += 1
        self._open.append(number)
        return iter(self._edges[number])

    def _leave(self, number: int, parent: int) -> None:
        self._low[parent] = min(self._low[parent], self._low[number])
        if self._low[number] == self.index[number]:
            members = [self._open.pop()]
            while members[-1] != number:
                members.append(self._open.pop())
            self.closed.append(members)
            for member in members:
                self._is_closed[member] = True
