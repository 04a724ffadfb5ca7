"""A nested object of the arguments accepts undescribed members."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    IN_PLACE,
    Diagnostic,
    Diagnostics,
    Location,
    Path,
    Role,
    SchemaVisit,
    Severity,
    applied,
    declare,
    edits,
    everywhere,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "this object accepts members that it does not describe",
    "add `additionalProperties: false`, or `true` if they are intended",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_DESCRIBING = IN_PLACE | {
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "$ref",
}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such objects below the arguments."""
    if not visit.is_input:
        return
    paths = [
        path
        for path, node in visit.using("properties")
        if "type" in node
        and (path or visit.role is not Role.INPUT)
        and _DESCRIBING.isdisjoint(node)
        and "allOf" not in applied(path)
    ]
    if paths:
        yield together(paths, partial(_report, visit), "and this")


def _report(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    fix = edits.fix("add `additionalProperties: false`", everywhere(visit, paths, _close))
    return visit.diagnostic(KIND, paths[0], fix=fix)


def _close(location: Location) -> edits.Edits:
    return edits.insert_member(location, "additionalProperties", value=False)
