"""Proofs that schemas of a service are unsatisfiable, within limits.

The engine proves that no value satisfies a schema. Its time can grow exponentially with the choices
of a schema and it cannot be interrupted, so a measure of the schema decides whether to run it at
all. Proofs over a lower limit run in a child process with a limit of CPU time, in case the measure
underestimates them.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.schema import graph
from toolspec.shared.containment import Answer, Engine, is_available, satisfiability
from toolspec.shared.json_values import as_list
from toolspec.shared.processes import can_start_processes
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolspec.schema.bundle import Bundle
    from toolspec.schema.instances import InstanceValidator
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

_SATURATED = 10**9

# Each of these adds an alternative to those of its subschemas.
_OPTIONAL = frozenset({"not", "if", "then", "else", "dependentSchemas"})

# The engine combines each of these with all others of its kind.
_COMBINED = {"contains": 32, "multipleOf": 100, "pattern": 4, "propertyNames": 4}

# Cost of a proof in the child process, in units of complexity.
_CHILD_COST = 2_000


class Verdict(Enum):
    """Outcome of a proof: unsatisfiable, not proved, too complex, out of time, or no engine."""

    UNSATISFIABLE = auto()
    NOT_PROVED = auto()
    TOO_COMPLEX = auto()
    EXPIRED = auto()
    UNAVAILABLE = auto()


_VERDICTS = {
    Answer.YES: Verdict.NOT_PROVED,
    Answer.NO: Verdict.UNSATISFIABLE,
    Answer.UNKNOWN: Verdict.NOT_PROVED,
    Answer.EXPIRED: Verdict.EXPIRED,
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of proofs: of one, of all of a service, and of one in a child process.

    A unit of complexity takes 10 microseconds of CPU time where one construct grows, and 300 in the
    worst mixture that a search found (decision 23).
    """

    complexity: int = 2_000
    subschemas: int = 500
    bundle: int = 5_000
    of_service: int = 10_000
    in_process: int = 500
    seconds: int = 1


class Prover:
    """Runs proofs about the schemas of one service, within limits."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._left = self.limits.of_service
        self._child = Engine(self.limits.seconds)

    def close(self) -> None:
        """End the child process."""
        self._child.close()

    def proofs_of(self, bundle: Bundle, validator: InstanceValidator) -> BundleProofs | None:
        """Return the proofs of a bundle, or None if it is too large for any."""
        resources = [linked.resource for linked in (bundle.root, *bundle.copied.values())]
        size = sum(len(resource.nodes) for resource in resources)
        if size > min(self.limits.bundle, self._left):
            return None
        self._left -= size
        return BundleProofs(self, bundle, validator)

    def prove(self, cost: int, schema: Callable[[], JsonValue]) -> Verdict:
        """Return whether the engine proves a schema of some complexity unsatisfiable."""
        limits = self.limits
        if not is_available():
            return Verdict.UNAVAILABLE
        if cost > min(limits.complexity, self._left):
            return Verdict.TOO_COMPLEX
        self._left -= cost
        if cost > limits.in_process and can_start_processes():
            self._left -= _CHILD_COST
            return _VERDICTS[self._child.satisfiability(schema())]
        return _VERDICTS[satisfiability(schema())]


class BundleProofs:
    """Proves subschemas of one bundle unsatisfiable, and caches the verdicts."""

    def __init__(self, prover: Prover, bundle: Bundle, validator: InstanceValidator) -> None:
        self._prover, self._validator = prover, validator
        self.nodes, self.targets = bundle.nodes(), bundle.targets()
        self._measure = Measure(self.nodes, self.targets)
        self._verdicts: dict[Path, Verdict] = {}

    def verdict(self, path: Path) -> Verdict:
        """Return whether the engine proves the subschema at a path unsatisfiable."""
        if path not in self._verdicts:
            cost = self._measure.complexity(path, self._prover.limits.subschemas)
            self._verdicts[path] = self._prover.prove(
                cost, lambda: self._validator.standalone(path)
            )
        return self._verdicts[path]


class Measure:
    """Upper bound on the work of proofs about the subschemas of one bundle.

    The engine multiplies choices out. `terms` bounds the number of conjunctions: branches of a
    choice add up unless their types tell them apart (a constant tag does not: the engine compares
    such branches too), and schemas that apply to the same value multiply. It compares each term
    with each other.
    """

    def __init__(
        self, nodes: Mapping[Path, JsonObject | bool], targets: Mapping[Path, Path]
    ) -> None:
        self._nodes = list(nodes.values())
        self._graph = graph.build(nodes.items(), targets)
        self._numbers = {path: number for number, path in enumerate(nodes)}

    def complexity(self, start: Path, limit: int) -> int:
        """Return a bound on the work of a proof about the subschema at a path.

        A long chain of references would exhaust the engine's stack, so the bound is exceeded if the
        path reaches more than `most` subschemas.
        """
        first = self._numbers[start]
        if len(self._nodes) > limit and self._least_reached[first] > limit:
            return _SATURATED
        terms: dict[int, int] = {}
        size = 0
        for number in _children_first(self._graph, first):
            node = self._nodes[number]
            terms[number] = self._terms(number, node, terms) if isinstance(node, dict) else 1
            size += _size(node)
            if len(terms) > limit:
                return _SATURATED
        combined = terms[first]
        return min(size * combined * combined, _SATURATED)

    @cached_property
    def _least_reached(self) -> list[int]:
        """A lower bound on the subschemas that each one reaches, for all in one walk."""
        edges = [(*node.in_place, *node.inside) for node in self._graph]
        reached = [0] * len(edges)
        for members in graph.closed_components(edges):
            below = max(
                (reached[other] for member in members for other in edges[member]), default=0
            )
            for member in members:
                reached[member] = len(members) + below
        return reached

    def _terms(self, number: int, node: JsonObject, terms: Mapping[int, int]) -> int:
        """Return the number of conjunctions of a subschema, multiplied out."""
        current = self._graph[number]
        depth = len(current.path)
        total = 1
        for other in current.same:
            path, inner, subschema = (
                self._graph[other].path,
                terms.get(other, 1),
                self._nodes[other],
            )
            is_below = len(path) > depth and path[:depth] == current.path
            if is_below and path[depth] == "not" and isinstance(subschema, dict):
                inner *= max(len(subschema), len(as_list(subschema.get("required"))))
            total *= inner + (is_below and path[depth] in _OPTIONAL)
        for choice in current.choices:
            total *= _overlapping((self._nodes[option], terms.get(option, 1)) for option in choice)
        total *= max((terms.get(other, 1) for other in current.inside), default=1)
        dependent = node.get("dependentRequired")
        total <<= min(len(dependent), 30) if isinstance(dependent, dict) else 0
        return min(total, _SATURATED)


def _children_first(built: tuple[graph.Node, ...], start: int) -> Iterator[int]:
    """Yield the subschemas reachable from one, children first except in cycles."""
    visited = {start}
    stack = [(start, iter((*built[start].in_place, *built[start].inside)))]
    while stack:
        number, edges = stack[-1]
        other = next((edge for edge in edges if edge not in visited), None)
        if other is None:
            stack.pop()
            yield number
        else:
            visited.add(other)
            stack.append((other, iter((*built[other].in_place, *built[other].inside))))


def _overlapping(branches: Iterable[tuple[JsonObject | bool, int]]) -> int:
    """Return an upper bound of the terms of branches that types and constants do not distinguish."""
    by_type: dict[str, int] = {}
    for node, terms in branches:
        if isinstance(node, dict) and "const" in node:
            continue
        declared = node.get("type") if isinstance(node, dict) else None
        types = declared if isinstance(declared, list) else [declared]
        for name in map(str, types):
            by_type[name] = by_type.get(name, 0) + terms
    return max(1, max(by_type.values(), default=1) + by_type.pop("None", 0))


def _size(node: JsonObject | bool) -> int:
    """Return the size of a subschema alone: its keywords, and their list items."""
    if not isinstance(node, dict):
        return 1
    size: int = 1 + sum(factor for keyword, factor in _COMBINED.items() if keyword in node)
    size += sum(len(as_list(node.get(keyword))) for keyword in ("enum", "required")) // 16
    patterns = node.get("patternProperties")
    if isinstance(patterns, dict):
        properties = node.get("properties")
        size += len(patterns) * (
            len(patterns) + len(properties if isinstance(properties, dict) else ())
        )
    pattern = node.get("pattern")
    return size + (len(pattern) // 16 if isinstance(pattern, str) else 0)
