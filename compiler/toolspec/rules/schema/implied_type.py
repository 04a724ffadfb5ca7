"""A schema has keywords of one type, but no `type`."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    ABOUT,
    IN_PLACE,
    Diagnostic,
    Diagnostics,
    Path,
    SchemaVisit,
    Severity,
    applied,
    declare,
    edits,
    everywhere,
    implied_type,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "no `type` here: every value that is not of type {type} satisfies {keywords}",
    "write `type: {type}` if no other value is meant",
)
VISITS = SchemaVisit
KEYWORDS = frozenset(ABOUT)
# The outer schema states the type, or the value is a property name.
_TYPED_ELSEWHERE = IN_PLACE | {"propertyNames"}
_TYPED = ("string", "array", "object", "number")


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such schemas of one type."""
    paths_by_type: dict[str, list[Path]] = {}
    for path, node in visit.using(*ABOUT):
        kind = implied_type(node)
        if kind and _TYPED_ELSEWHERE.isdisjoint(applied(path)[-1:]):
            paths_by_type.setdefault(kind, []).append(path)
    for kind in _TYPED:
        if kind in paths_by_type:
            yield together(paths_by_type[kind], partial(_report, visit, kind), "and this")


def _report(visit: SchemaVisit, kind: str, paths: Sequence[Path]) -> Diagnostic:
    nodes = dict(visit.survey.nodes)
    node = nodes[paths[0]]
    words = [f"`{word}`" for word in node if word in ABOUT] if isinstance(node, dict) else []
    edit = everywhere(
        visit, paths, lambda location: edits.insert_member(location, "type", kind, after="title")
    )
    fix = edits.fix(f"write `type: {kind}`", edit)
    return visit.diagnostic(KIND, paths[0], fix=fix, keywords=", ".join(words), type=kind)
