"""Checks that need all referenced schemas: complexity over all schemas, the rest by bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import has_errors
from toolspec.schema import complexity, contradictions, kinds, satisfiable, values
from toolspec.schema.bounds import Bounds
from toolspec.schema.bundle import MAX_COPIES
from toolspec.schema.diagnostics import diagnostic_at
from toolspec.schema.satisfiable import QuickSatisfiability

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Bundle, Key, LinkedSchema
    from toolspec.schema.containment import Prover
    from toolspec.schema.instances import InstanceValidator
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import Location
    from toolspec.syntax.pointer import Path


def check_complexity(schemas: Mapping[Key, LinkedSchema]) -> tuple[tuple[Key, Diagnostic], ...]:
    """Return diagnostics about the complexity of schemas that refer to each other.

    A schema that is too complex or endless must not reach a validator. Most schemas refer to others
    and no other refers to them: the complexity of the others is enough to bound theirs.
    """
    doubtful = Bounds(schemas).doubtful()
    referenced = {link.to for linked in doubtful for link in linked.links}
    shared = [linked for linked in doubtful if linked.key in referenced or linked.resource.inner]
    exact = _ExactComplexity(shared)
    unreferenced = [linked for linked in doubtful if linked.key not in exact.roots]
    candidates = {
        linked.key: linked for linked in unreferenced if exact.may_make_too_complex(linked)
    }
    for linked in (queue := list(candidates.values())):
        queue += (
            candidates.setdefault(link.to, schemas[link.to])
            for link in linked.links
            if link.to not in candidates
        )
    remaining = _ExactComplexity(list(candidates.values())).diagnostics if candidates else ()
    return (
        *exact.diagnostics,
        *((key, diagnostic) for key, diagnostic in remaining if key not in exact.roots),
    )


class _ExactComplexity:
    """Exact complexity of schemas that refer only to each other."""

    def __init__(self, linked: Sequence[LinkedSchema]) -> None:
        self.roots: dict[Key, Path] = {schema.key: (index,) for index, schema in enumerate(linked)}
        nodes: list[Subschema] = []
        targets: dict[Path, Path] = {}
        for index, schema in enumerate(linked):
            nodes += [((index, *path), node) for path, node in schema.resource.nodes]
            targets |= {(index, *holder): target for holder, target in schema.targets(self.roots)}

        def locations(path: Path) -> Location:
            return linked[int(path[0])].resource.locations(path[1:])

        self._results = complexity.measure_complexity(nodes, targets, locations)
        self.diagnostics = tuple(
            (linked[int(path[0])].key, schema) for path, schema in self._results.diagnostics
        )

    def may_make_too_complex(self, linked: LinkedSchema) -> bool:
        """Return whether a schema that refers to these, without being referenced, may be too complex."""
        # An alternative counts for the choice too.
        bound = 2 * len(linked.resource.nodes)
        for link in linked.links:
            target = (*self.roots[link.to], *link.path)
            bound += self._results.complexities[target]
            if self._results.references[target] >= complexity.MAX_REFERENCES_IN_PLACE:
                return True
        return bound > complexity.MAX_COMPLEXITY


def needs_too_many(linked: LinkedSchema) -> Diagnostic:
    """Return the diagnostic of a schema with too many others in its bundle."""
    measure, limit = "it refers to too many other schemas", f"{MAX_COPIES:,}"
    suggestion = "split the service, or let schemas share fewer definitions"
    location = linked.resource.location
    return diagnostic_at(
        kinds.TOO_COMPLEX, location, measure=measure, limit=limit, suggestion=suggestion
    )


def check_bundle(
    bundle: Bundle,
    validator: InstanceValidator,
    prover: Prover,
    sound: Container[Key] = frozenset(),
) -> tuple[Diagnostic, ...]:
    """Return the errors of a bundle whose schemas are each valid and simple enough.

    Errors in a copied schema are reported only at its source. `sound` are the schemas already known
    to be satisfiable.
    """
    resource = bundle.root.resource
    diagnostics = list(contradictions.check(resource))
    if not has_errors(diagnostics) and not QuickSatisfiability(bundle.root, sound).is_satisfiable():
        diagnostics += satisfiable.check(prover, validator, bundle)
    if not has_errors(diagnostics):
        diagnostics += values.check(validator, resource)
    return tuple(diagnostics)
