"""The checks that need all that a schema refers to: weight over all schemas, the rest by bundle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import has_errors
from toolspec.schema import contradictions, kinds, satisfiable, values, weight
from toolspec.schema.bundle import MAX_COPIES
from toolspec.schema.findings import finding
from toolspec.schema.instances import Judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Bundle, Key, Linked
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import Place
    from toolspec.syntax.pointer import Path


@dataclass(frozen=True, slots=True)
class Scales:
    """What was found of the weight of schemas, and which are too much for a proof."""

    found: tuple[tuple[Key, Diagnostic], ...]
    unprovable: frozenset[Key]


def weigh(schemas: Iterable[Linked]) -> Scales:
    """Return the weights of schemas that refer to each other, each subschema weighed once.

    What is too heavy or endless must not be given to a validator. A schema that no other refers to
    and that cannot multiply is left out.
    """
    weighed = tuple(schemas)
    targeted = {link.to for linked in weighed for link in linked.links}
    weighed = tuple(
        linked
        for linked in weighed
        if linked.key in targeted or weight.may_multiply(linked.resource.nodes)
    )
    roots: dict[Key, Path] = {linked.key: (number,) for number, linked in enumerate(weighed)}
    nodes: list[Subschema] = []
    targets: dict[Path, Path] = {}
    for number, linked in enumerate(weighed):
        nodes += [((number, *path), node) for path, node in linked.resource.nodes]
        targets |= {(number, *holder): target for holder, target in linked.targets(roots)}

    def places(path: Path) -> Place:
        return weighed[int(path[0])].resource.places(path[1:])

    weighing = weight.weigh(tuple(nodes), targets, places)
    found = tuple((weighed[int(path[0])].key, each) for path, each in weighing.found)
    unprovable = frozenset(key for key, root in roots.items() if root in weighing.unprovable)
    return Scales(found, unprovable)


def needs_too_many(linked: Linked) -> Diagnostic:
    """Return the finding of a schema whose bundle would hold too many others."""
    measure, limit = "it needs too many other schemas", f"{MAX_COPIES:,}"
    return finding(kinds.TOO_HEAVY, linked.resource.place, measure=measure, limit=limit)


def judge_of(bundle: Bundle) -> Judge:
    """Return the judge of values for a bundle."""
    holders = (holder for holder, _ in bundle.root.targets(bundle.roots))
    return Judge(bundle.value, (*holders, *(("$defs", name) for name in bundle.copied)))


def check_bundle(
    bundle: Bundle, judge: Judge, *, is_provable: bool = True
) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a bundle whose schemas are each valid and light enough.

    What was copied from elsewhere is not reported again; its findings are made where it stands.
    """
    own = bundle.root.resource.nodes
    found = list(contradictions.check(own, bundle.places))
    if is_provable and not has_errors(found):
        found += satisfiable.check(judge, bundle)
    if not has_errors(found):
        found += values.check(judge, own, bundle.places)
    return tuple(found)
