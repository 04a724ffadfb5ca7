"""The branches of a `oneOf` are disjoint."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Path,
    SchemaVisit,
    Severity,
    are_disjoint,
    branches,
    declare,
    edits,
    everywhere,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "the branches of this `oneOf` have no value in common",
    "write `anyOf`, which means the same here",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"oneOf"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such unions of a schema of arguments, with a fix that renames them."""
    if not visit.is_input:
        return
    paths = [
        (*path, "oneOf")
        for path, node in visit.using("oneOf")
        if "anyOf" not in node
        and (options := branches(visit, (*path, "oneOf")))
        and all(are_disjoint(one, other) for one, other in combinations(options, 2))
    ]
    if paths:
        yield together(paths, partial(_report, visit))


def _report(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    edit = everywhere(visit, paths, lambda location: edits.rename_key(location, "anyOf"))
    return visit.diagnostic(KIND, paths[0], fix=edits.fix("write `anyOf`", edit, safe=True))
