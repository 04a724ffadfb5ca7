"""Checks that need all referenced schemas: complexity over all schemas, the rest by bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import has_errors
from toolspec.schema import contradictions, kinds, satisfiable, values, weight
from toolspec.schema.bounds import Bounds
from toolspec.schema.bundle import MAX_COPIES
from toolspec.schema.diagnostics import diagnostic_at
from toolspec.schema.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Bundle, Key, LinkedSchema
    from toolspec.schema.containment import Prover
    from toolspec.schema.instances import Judge
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import Location
    from toolspec.syntax.pointer import Path


def weigh(schemas: Mapping[Key, LinkedSchema]) -> tuple[tuple[Key, Diagnostic], ...]:
    """Return diagnostics about the complexity of schemas that refer to each other.

    A schema that is too complex or endless must not reach a validator.
    """
    weighed = Bounds(schemas).doubtful()
    roots: dict[Key, Path] = {linked.key: (number,) for number, linked in enumerate(weighed)}
    nodes: list[Subschema] = []
    targets: dict[Path, Path] = {}
    for number, linked in enumerate(weighed):
        nodes += [((number, *path), node) for path, node in linked.resource.nodes]
        targets |= {(number, *holder): target for holder, target in linked.targets(roots)}

    def locations(path: Path) -> Location:
        return weighed[int(path[0])].resource.locations(path[1:])

    found = weight.weigh(nodes, targets, locations)
    return tuple((weighed[int(path[0])].key, each) for path, each in found)


def needs_too_many(linked: LinkedSchema) -> Diagnostic:
    """Return the diagnostic of a schema whose bundle would have too many others."""
    measure, limit = "it needs too many other schemas", f"{MAX_COPIES:,}"
    suggestion = "split the service, or let schemas share fewer definitions"
    location = linked.resource.location
    return diagnostic_at(
        kinds.TOO_HEAVY, location, measure=measure, limit=limit, suggestion=suggestion
    )


def check_bundle(
    bundle: Bundle, judge: Judge, prover: Prover, sound: Container[Key] = frozenset()
) -> tuple[Diagnostic, ...]:
    """Return the errors of a bundle whose schemas are each valid and simple enough.

    Errors in a copied schema are not repeated, but reported once at its source. `sound` are the
    schemas that were found satisfiable before.
    """
    resource = bundle.root.resource
    found = list(contradictions.check(resource))
    if not has_errors(found) and not Plain(bundle.root, sound).is_satisfiable():
        found += satisfiable.check(prover, judge, bundle)
    if not has_errors(found):
        found += values.check(judge, resource)
    return tuple(found)
