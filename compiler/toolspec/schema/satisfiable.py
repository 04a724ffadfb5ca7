"""Whether any value satisfies a schema, and the innermost subschema to blame if none does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema import kinds
from toolspec.schema.contradictions import types_of
from toolspec.schema.findings import finding, listed
from toolspec.schema.keywords import ANNOTATIONS, APPLICATORS, VALUES
from toolspec.schema.weight import MAX_CHAIN, is_provable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Bundle
    from toolspec.schema.instances import Judge
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

_CHOOSING = frozenset({"anyOf", "oneOf"})


def check(judge: Judge, bundle: Bundle) -> Iterator[Diagnostic]:
    """Yield a finding if no value satisfies a bundle, at the innermost schema that makes it so.

    What cannot be proved passes.
    """
    if not _is_provable(bundle) or not judge.refuses_all(()):
        return
    nodes, targets = bundle.nodes(), bundle.targets()
    path: Path = ()
    way = [path]
    while True:
        needed = _needed(path, nodes, targets)
        inner = next((each for each in needed if judge.refuses_all(each)), None)
        if inner is None or inner in way:
            break
        way.append(inner)
        path = inner
    keyword, reason = _reason(nodes.get(path, False), is_endless=inner is not None)
    yield finding(
        kinds.UNSATISFIABLE,
        bundle.places((*path, *keyword)),
        on_key=bool(keyword),
        reason=reason,
        suggestion="relax one of the keywords that contradict each other",
    )


def _is_provable(bundle: Bundle) -> bool:
    """Whether a proof takes reasonable time: surely so where a small schema leaves no choice."""
    resources = [linked.resource for linked in (bundle.root, *bundle.copied.values())]
    if sum(len(each.nodes) for each in resources) <= MAX_CHAIN and all(
        _CHOOSING.isdisjoint(each.words) for each in resources
    ):
        return True
    return is_provable(bundle.nodes().items(), bundle.targets(), bundle.places)


def _needed(
    path: Path, nodes: Mapping[Path, JsonObject | bool], targets: Mapping[Path, Path]
) -> Iterator[Path]:
    """Yield the subschemas without which a schema cannot be satisfied."""
    node = nodes.get(path)
    if not isinstance(node, dict):
        return
    if path in targets:
        yield targets[path]
    types, required, several = types_of(node), node.get("required"), node.get("allOf")
    if types == {"object"} and isinstance(required, list):
        of_names = ((*path, "properties", str(name)) for name in required)
        yield from (each for each in of_names if each in nodes)
    if isinstance(several, list):
        yield from ((*path, "allOf", index) for index in range(len(several)))
    if types == {"array"} and _is_positive(node.get("minItems")):
        first = (*path, "prefixItems", 0)
        yield first if first in nodes else (*path, "items")


def _reason(node: JsonObject | bool, *, is_endless: bool) -> tuple[Path, str]:
    """Return the keyword to point at, and why nothing satisfies a schema."""
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
