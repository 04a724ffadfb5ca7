"""Complexity of schemas: size, number of subschemas for one value, and endless references."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from toolspec.schema import graph, kinds
from toolspec.schema.contradictions import types_of
from toolspec.schema.diagnostics import diagnostic_at
from toolspec.shared.keywords import TYPES
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.diagnostics import Locations
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject, Location
    from toolspec.syntax.pointer import Path

# Each subschema takes jsonschema-rs at most a quarter of a microsecond (decision 24).
MAX_COMPLEXITY = 20_000
MAX_SUBSCHEMAS = 20_000
MAX_DEPTH = 64

# Maximum subschemas of a branch to search for its type and tag.
_MOST_PARTS = 20

# The constants of required properties, by name.
Tags: TypeAlias = "dict[str, frozenset[str]]"
Facts: TypeAlias = "tuple[frozenset[str], Tags]"

# Maximum length of a chain of references that apply to the same value. `bounds.py` leaves
# longer chains to the exact computation.
MAX_REFERENCES_IN_PLACE = 100

# Values beyond this only mean "too much"; otherwise 2^20000 would be computed exactly.
_SATURATED = 10**9


def check_size(nodes: tuple[Subschema, ...], location: Location) -> Iterator[Diagnostic]:
    """Yield a diagnostic if a schema has too many subschemas, or too many levels."""
    if len(nodes) > MAX_SUBSCHEMAS:
        suggestion = "accept any value in some properties, and validate those in the handler"
        yield _too_complex(location, f"{len(nodes):,} subschemas", MAX_SUBSCHEMAS, suggestion)
        return
    if len(nodes) <= MAX_DEPTH:
        return
    longest: Path = max((path for path, _ in nodes), key=len, default=())
    if len(longest) > MAX_DEPTH:
        paths = {path for path, _ in nodes}
        depth = sum(longest[:length] in paths for length in range(1, len(longest) + 1))
        if depth > MAX_DEPTH:
            suggestion = "use a definition that refers to itself, or nest less"
            yield _too_complex(location, f"{depth:,} levels", MAX_DEPTH, suggestion)


def measure_complexity(
    nodes: Iterable[Subschema], targets: Mapping[Path, Path], locations: Locations
) -> Complexities:
    """Return the complexity of schemas, with diagnostics about it.

    `targets` has the target of each reference. The complexity of a subschema is a bound on how many
    subschemas apply to one part of a value. Those applied to the same value add up. Of named
    properties only the most complex counts, since one applies to each member. Of alternatives that
    types or a tag distinguish, only the most complex counts too: the validator checks both before
    it enters a part of the value. Recursion through a part of the value counts once, since the
    validator caches its results. Linear in the size of the schemas.
    """
    nodes = tuple(nodes)
    computation = _Computation(graph.build(nodes, targets), [node for _, node in nodes], locations)
    computation.measure_all()
    return computation.results()


@dataclass(frozen=True, slots=True)
class Complexities:
    """Complexity of subschemas, and the lengths of the chains of references on their values, by path."""

    complexities: Mapping[Path, int]
    references: Mapping[Path, int]
    diagnostics: tuple[tuple[Path, Diagnostic], ...]


class Alternatives:
    """Bounds the total complexity of the branches of a choice, by what distinguishes them."""

    def __init__(self, nodes: tuple[graph.Node, ...], schemas: list[JsonObject | bool]) -> None:
        self._nodes, self._schemas = nodes, schemas
        self._cached_facts: dict[int, Facts] = {}
        self._constants: dict[int, Tags] = {}

    def complexity(self, branches: tuple[int, ...], complexities: list[int]) -> int:
        """Return the maximum complexity of some alternatives for one value."""
        for branch in branches:
            if branch not in self._cached_facts:
                self._cached_facts[branch] = self._facts(branch)
        facts = [(self._cached_facts[branch], complexities[branch]) for branch in branches]
        by_type = (
            [(tags, complexity) for (types, tags), complexity in facts if name in types]
            for name in TYPES
        )
        return len(branches) + max(map(_tagged_complexity, by_type))

    def _facts(self, number: int) -> Facts:
        """Return the types that a schema admits, and the constants of its tags by name.

        A tag is a required property with constants. Both may be behind a reference or in `allOf`.
        """
        types = frozenset(TYPES)
        constants: Tags = {}
        required: set[str] = set()
        queue = [number]
        for current in queue:
            node, path = self._schemas[current], self._nodes[current].path
            if not isinstance(node, dict):
                continue
            if "type" in node:
                types &= _closed(types_of(node))
            if current not in self._constants:
                self._constants[current] = _constants(node)
            constants |= self._constants[current]
            names = node.get("required")
            required.update(map(str, names) if isinstance(names, list) else ())
            if len(queue) < _MOST_PARTS:
                queue += (
                    subschema
                    for subschema in self._nodes[current].same
                    if (subschema_path := self._nodes[subschema].path)[: len(path)] != path
                    or subschema_path[len(path) :][:1] == ("allOf",)
                )
        return types, {name: values for name, values in constants.items() if name in required}


def _tagged_complexity(branches: list[tuple[Tags, int]]) -> int:
    """Return the complexity of branches for one type: the sum, but the maximum of tagged ones."""
    tag_counts = Counter(name for tags, _ in branches for name in tags)
    total = sum(complexity for _, complexity in branches)
    for name, _ in tag_counts.most_common(1):
        tagged = [(tags[name], complexity) for tags, complexity in branches if name in tags]
        if sum(len(values) for values, _ in tagged) == len(frozenset().union(*dict(tagged))):
            complexities = [complexity for _, complexity in tagged]
            total += max(complexities) - sum(complexities)
    return total


def _constants(node: JsonObject) -> Tags:
    """Return the properties of a schema with `const` or `enum`, and their values as JSON."""
    properties = node.get("properties")
    constants: Tags = {}
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(schema, dict):
            continue
        if "const" in schema:
            constants[name] = frozenset({json.dumps(schema["const"], sort_keys=True)})
        elif "enum" in schema and isinstance(schema["enum"], list):
            constants[name] = frozenset(
                json.dumps(value, sort_keys=True) for value in schema["enum"]
            )
    return constants


def _closed(types: frozenset[str]) -> frozenset[str]:
    return types | {"integer"} if "number" in types else types


_UNTANGLE = (
    "refer to the next level only once, or require in each alternative a property with its own "
    "constant, such as `kind: {const: circle}`"
)


class _Computation:
    """Computes the complexity of every subschema once, after those that it enters."""

    def __init__(
        self, nodes: tuple[graph.Node, ...], schemas: list[JsonObject | bool], locations: Locations
    ) -> None:
        self._nodes = nodes
        self._alternatives = Alternatives(nodes, schemas)
        self._locations = locations
        component = graph.components([node.in_place + node.inside for node in nodes])
        self._component = component
        # Recursion through a part of the value is no edge.
        self._edges = [
            node.in_place
            + tuple(edge for edge in node.inside if component[edge] != component[number])
            for number, node in enumerate(nodes)
        ]
        self._endless: set[int] = set()
        self._complexities = [1] * len(nodes)
        self._references = [0] * len(nodes)
        self.diagnostics: list[tuple[Path, Diagnostic]] = []

    def results(self) -> Complexities:
        """Return the results."""
        paths = [node.path for node in self._nodes]
        return Complexities(
            dict(zip(paths, self._complexities, strict=True)),
            dict(zip(paths, self._references, strict=True)),
            tuple(self.diagnostics),
        )

    def measure_all(self) -> None:
        """Visit every subschema depth first; an edge back to an open one is endless recursion."""
        is_open = [False] * len(self._nodes)
        # Most subschemas enter no other: their complexity is 1.
        done = [
            not (edges or node.inside) for edges, node in zip(self._edges, self._nodes, strict=True)
        ]
        for start in range(len(self._nodes)):
            stack = [] if done[start] else [(start, iter(self._edges[start]))]
            while stack:
                number, edges = stack[-1]
                is_open[number] = True
                for other in edges:
                    if done[other]:
                        continue
                    if not is_open[other]:
                        stack.append((other, iter(self._edges[other])))
                        break
                    open_numbers = [open_number for open_number, _ in stack]
                    self._report_endless(open_numbers[open_numbers.index(other) :])
                else:
                    stack.pop()
                    done[number], is_open[number] = True, False
                    self._measure(number)

    def _measure(self, number: int) -> None:
        node, complexities = self._nodes[number], self._complexities
        total = 1
        for other in node.same:
            total += complexities[other]
        for choice in node.choices:
            total += self._alternatives.complexity(choice, complexities)
        if node.parts:
            total += sum(self._of_parts(complexities, number, node.parts))
        if node.members:
            total += max(self._of_parts(complexities, number, node.members))
        complexities[number] = min(total, _SATURATED)
        if node.same or node.choices:
            self._count_references(number, node)
        if total > MAX_COMPLEXITY and all(
            complexities[edge] <= MAX_COMPLEXITY for edge in self._edges[number]
        ):
            measure = f"one value may be checked by {total:,} subschemas"
            diagnostic = _too_complex(
                self._locations(node.path), measure, MAX_COMPLEXITY, _UNTANGLE
            )
            self.diagnostics.append((node.path, diagnostic))

    def _count_references(self, number: int, node: graph.Node) -> None:
        """Report a chain of references on one value where it becomes too long, and only there."""
        longest_chain = max([self._references[other] for other in node.in_place], default=0)
        self._references[number] = longest_chain + node.refers
        if longest_chain == MAX_REFERENCES_IN_PLACE and node.refers:
            measure = f"{longest_chain + 1:,} references in a row apply to the same value"
            suggestion = "refer to the last of these schemas directly"
            limit = MAX_REFERENCES_IN_PLACE
            diagnostic = _too_complex(self._locations(node.path), measure, limit, suggestion)
            self.diagnostics.append((node.path, diagnostic))

    def _of_parts(self, complexities: list[int], number: int, others: Iterable[int]) -> list[int]:
        """Return the complexities of subschemas for parts of the value; recursion counts once."""
        component = self._component
        own_component = component[number]
        return [1 if component[other] == own_component else complexities[other] for other in others]

    def _report_endless(self, cycle: list[int]) -> None:
        component = self._component[cycle[0]]
        if component in self._endless:
            return
        self._endless.add(component)
        paths = [self._nodes[number].path for number in cycle]
        references = ((path, self._locations((*path, "$ref"))) for path in paths)
        existing = (
            (path, location) for path, location in references if location.value_or_none is not None
        )
        path, location = next(existing, (paths[0], self._locations(paths[0])))
        self.diagnostics.append((path, diagnostic_at(kinds.ENDLESS_REFERENCE, location)))


def _too_complex(location: Location, measure: str, limit: int, suggestion: str) -> Diagnostic:
    return diagnostic_at(
        kinds.TOO_COMPLEX, location, measure=measure, limit=f"{limit:,}", suggestion=suggestion
    )
