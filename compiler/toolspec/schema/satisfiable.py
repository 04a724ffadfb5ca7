"""Finds unsatisfiable schemas, and the innermost subschema that causes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema import kinds
from toolspec.schema.containment import Verdict
from toolspec.schema.contradictions import types_of
from toolspec.schema.diagnostics import diagnostic_at, listed
from toolspec.schema.keywords import ANNOTATIONS, APPLICATORS, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Bundle
    from toolspec.schema.containment import BundleProofs, Prover
    from toolspec.schema.instances import InstanceValidator
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path


def check(prover: Prover, validator: InstanceValidator, bundle: Bundle) -> Iterator[Diagnostic]:
    """Yield a diagnostic if no value satisfies a bundle, at the innermost cause.

    Without a proof the bundle is valid. If it is too complex for a proof, its subschemas are tried.
    """
    proofs = prover.proofs_of(bundle, validator)
    if proofs is None:
        return
    queue: dict[Path, None] = {(): None}
    for path in _growing(queue):
        match proofs.verdict(path):
            case Verdict.UNSATISFIABLE:
                yield _culprit(proofs, path, bundle)
                return
            case Verdict.TOO_COMPLEX:
                queue |= dict.fromkeys(_required_subschemas(path, proofs.nodes, proofs.targets))
            case Verdict.EXPIRED:
                yield diagnostic_at(kinds.NOT_PROVED, bundle.locations(path))
            case Verdict.UNAVAILABLE:
                yield kinds.NO_PROOFS.at(None)


def _growing(queue: dict[Path, None]) -> Iterator[Path]:
    """Yield keys in order, including those added meanwhile."""
    done = 0
    while done < len(queue):
        for path in list(queue)[done:]:
            done += 1
            yield path


def _culprit(proofs: BundleProofs, path: Path, bundle: Bundle) -> Diagnostic:
    """Return the diagnostic of an unsatisfiable schema, at the innermost cause."""
    visited = [path]
    while True:
        required = _required_subschemas(path, proofs.nodes, proofs.targets)
        inner = next(
            (other for other in required if proofs.verdict(other) is Verdict.UNSATISFIABLE), None
        )
        if inner is None or inner in visited:
            break
        visited.append(inner)
        path = inner
    keyword, reason = _reason(proofs.nodes.get(path, False), is_endless=inner is not None)
    return diagnostic_at(
        kinds.UNSATISFIABLE,
        bundle.locations((*path, *keyword)),
        on_key=bool(keyword),
        reason=reason,
        suggestion="relax one of the keywords that contradict each other",
    )


def _required_subschemas(
    path: Path, nodes: Mapping[Path, JsonObject | bool], targets: Mapping[Path, Path]
) -> Iterator[Path]:
    """Yield the subschemas that a schema needs to be satisfiable."""
    node = nodes.get(path)
    if not isinstance(node, dict):
        return
    if path in targets:
        yield targets[path]
    types, required, all_of = types_of(node), node.get("required"), node.get("allOf")
    if types == {"object"} and isinstance(required, list):
        properties = ((*path, "properties", str(name)) for name in required)
        yield from (property_path for property_path in properties if property_path in nodes)
    if isinstance(all_of, list):
        yield from ((*path, "allOf", index) for index in range(len(all_of)))
    if types == {"array"} and _is_positive(node.get("minItems")):
        first = (*path, "prefixItems", 0)
        yield first if first in nodes else (*path, "items")


def _reason(node: JsonObject | bool, *, is_endless: bool) -> tuple[Path, str]:
    """Return the keyword that causes an unsatisfiable schema, and why."""
    if is_endless:
        return (), "each value would have to contain another value of the same schema, without end"
    if not isinstance(node, dict):
        return (), "`false` rejects every value"
    keywords = [keyword for keyword in node if keyword in VALUES and keyword not in ANNOTATIONS]
    if len(keywords) == 1:
        return (keywords[0],), f"`{keywords[0]}` rejects every value"
    applicators = [keyword for keyword in keywords if keyword in APPLICATORS]
    location: Path = (applicators[0],) if len(applicators) == 1 else ()
    return location, f"together {listed(keywords).replace(' or ', ' and ')} reject every value"


def _is_positive(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
