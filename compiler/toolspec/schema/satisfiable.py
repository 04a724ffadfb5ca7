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
    from toolspec.schema.containment import Prover, Question
    from toolspec.schema.instances import InstanceValidator
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path


def check(prover: Prover, validator: InstanceValidator, bundle: Bundle) -> Iterator[Diagnostic]:
    """Yield a diagnostic if no value satisfies a bundle, at the innermost cause.

    Without a proof it passes. If the whole is too complex for a proof, its parts are tried.
    """
    question = prover.about(bundle, validator)
    if question is None:
        return
    waiting: dict[Path, None] = {(): None}
    for path in _growing(waiting):
        match question.verdict(path):
            case Verdict.UNSATISFIABLE:
                yield _culprit(question, path, bundle)
                return
            case Verdict.TOO_COMPLEX:
                waiting |= dict.fromkeys(_needed(path, question.nodes, question.targets))
            case Verdict.EXPIRED:
                yield diagnostic_at(kinds.NOT_PROVED, bundle.locations(path))
            case Verdict.UNAVAILABLE:
                yield kinds.NO_PROOFS.at(None)


def _growing(waiting: dict[Path, None]) -> Iterator[Path]:
    """Yield keys in order, including those added meanwhile."""
    done = 0
    while done < len(waiting):
        for path in list(waiting)[done:]:
            done += 1
            yield path


def _culprit(question: Question, path: Path, bundle: Bundle) -> Diagnostic:
    """Return the diagnostic of an unsatisfiable schema, at the innermost cause."""
    way = [path]
    while True:
        needed = _needed(path, question.nodes, question.targets)
        inner = next(
            (other for other in needed if question.verdict(other) is Verdict.UNSATISFIABLE), None
        )
        if inner is None or inner in way:
            break
        way.append(inner)
        path = inner
    keyword, reason = _reason(question.nodes.get(path, False), is_endless=inner is not None)
    return diagnostic_at(
        kinds.UNSATISFIABLE,
        bundle.locations((*path, *keyword)),
        on_key=bool(keyword),
        reason=reason,
        suggestion="relax one of the keywords that contradict each other",
    )


def _needed(
    path: Path, nodes: Mapping[Path, JsonObject | bool], targets: Mapping[Path, Path]
) -> Iterator[Path]:
    """Yield the subschemas that a schema needs to be satisfiable."""
    node = nodes.get(path)
    if not isinstance(node, dict):
        return
    if path in targets:
        yield targets[path]
    types, required, several = types_of(node), node.get("required"), node.get("allOf")
    if types == {"object"} and isinstance(required, list):
        of_names = ((*path, "properties", str(name)) for name in required)
        yield from (of_name for of_name in of_names if of_name in nodes)
    if isinstance(several, list):
        yield from ((*path, "allOf", index) for index in range(len(several)))
    if types == {"array"} and _is_positive(node.get("minItems")):
        first = (*path, "prefixItems", 0)
        yield first if first in nodes else (*path, "items")


def _reason(node: JsonObject | bool, *, is_endless: bool) -> tuple[Path, str]:
    """Return the keyword that causes an unsatisfiable schema, and why."""
    if is_endless:
        return (), "it needs a part of its own kind, which needs another, without end"
    if not isinstance(node, dict):
        return (), "`false` accepts nothing"
    stated = [keyword for keyword in node if keyword in VALUES and keyword not in ANNOTATIONS]
    if len(stated) == 1:
        return (stated[0],), f"`{stated[0]}` leaves nothing"
    choosing = [keyword for keyword in stated if keyword in APPLICATORS]
    culprit: Path = (choosing[0],) if len(choosing) == 1 else ()
    return culprit, f"together {listed(stated).replace(' or ', ' and ')} leave nothing"


def _is_positive(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
