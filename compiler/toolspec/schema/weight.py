"""How much work a schema can make: its size, its static weight, and references that never end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema import graph, kinds
from toolspec.schema.findings import finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.findings import Places
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import Place
    from toolspec.syntax.pointer import Path

# threats.md, S3.
MAX_WEIGHT = 10_000
MAX_SUBSCHEMAS = 20_000
MAX_DEPTH = 64

# Past this a number only says "too much"; without it, 2^20000 would be computed exactly.
_SATURATED = 10**9


def check_size(nodes: tuple[Subschema, ...], place: Place) -> Iterator[Diagnostic]:
    """Yield a finding where a schema has too many subschemas, or nests them too deeply."""
    if len(nodes) > MAX_SUBSCHEMAS:
        yield _too_heavy(place, f"{len(nodes):,} subschemas", MAX_SUBSCHEMAS)
        return
    longest: Path = max((path for path, _ in nodes), key=len, default=())
    if len(longest) > MAX_DEPTH:
        known = {path for path, _ in nodes}
        depth = sum(longest[:length] in known for length in range(1, len(longest) + 1))
        if depth > MAX_DEPTH:
            yield _too_heavy(place, f"{depth:,} levels", MAX_DEPTH)


def weigh(
    nodes: Iterable[Subschema], targets: Mapping[Path, Path], places: Places
) -> list[tuple[Path, Diagnostic]]:
    """Return what is found of the weight of schemas, by path; `targets` says where references lead.

    The weight of a subschema bounds how many subschemas meet one part of a value: those applied to
    the same value add up, and of named properties the heaviest counts, since each value meets one.
    Recursion through a part of the value counts once. Linear in the size of the schemas.
    """
    scales = _Scales(graph.build(nodes, targets), places)
    scales.weigh_all()
    return scales.found


class _Scales:
    """One weighing: every subschema once, those that it enters before it."""

    def __init__(self, nodes: tuple[graph.Node, ...], places: Places) -> None:
        self._nodes = nodes
        self._places = places
        self._component = graph.components(nodes)
        self._endless: set[int] = set()
        self._weights = [0] * len(nodes)
        self.found: list[tuple[Path, Diagnostic]] = []

    def weigh_all(self) -> None:
        """Visit every subschema depth first; an edge back to an open one is an endless reference."""
        done, is_open = [False] * len(self._nodes), [False] * len(self._nodes)
        for start in range(len(self._nodes)):
            stack = [] if done[start] else [(start, self._edges(start))]
            while stack:
                number, edges = stack[-1]
                is_open[number] = True
                other = next((each for each in edges if not done[each]), None)
                if other is None:
                    stack.pop()
                    done[number], is_open[number] = True, False
                    self._weigh(number)
                elif is_open[other]:
                    opened = [each for each, _ in stack]
                    self._report_endless(opened[opened.index(other) :])
                else:
                    stack.append((other, self._edges(other)))

    def _edges(self, number: int) -> Iterator[int]:
        node = self._nodes[number]
        yield from node.in_place
        for other in node.inside:
            if self._component[other] != self._component[number]:
                yield other

    def _weigh(self, number: int) -> None:
        node, weights = self._nodes[number], self._weights
        own = 1 + sum(weights[each] for each in node.in_place)
        own += sum(self._inside(weights, number, node.parts))
        own += max(self._inside(weights, number, node.members), default=0)
        weights[number] = min(own, _SATURATED)
        entered = (weights[each] for each in self._edges(number))
        if own > MAX_WEIGHT and all(each <= MAX_WEIGHT for each in entered):
            measure = f"one value can meet it {own:,} times over"
            heavy = _too_heavy(self._places(node.path), measure, MAX_WEIGHT)
            self.found.append((node.path, heavy))

    def _inside(self, known: list[int], number: int, others: Iterable[int]) -> Iterator[int]:
        """Yield what is known of subschemas that go into the value; recursion counts once."""
        here = self._component[number]
        return (1 if self._component[each] == here else known[each] for each in others)

    def _report_endless(self, cycle: list[int]) -> None:
        component = self._component[cycle[0]]
        if component in self._endless:
            return
        self._endless.add(component)
        paths = [self._nodes[each].path for each in cycle]
        held = ((path, self._places((*path, "$ref"))) for path in paths)
        written = ((path, place) for path, place in held if place.value_or_none is not None)
        path, place = next(written, (paths[0], self._places(paths[0])))
        self.found.append((path, finding(kinds.ENDLESS_REFERENCE, place)))


def _too_heavy(place: Place, measure: str, limit: int) -> Diagnostic:
    return finding(kinds.TOO_HEAVY, place, measure=measure, limit=f"{limit:,}")
