"""A keyword has no effect."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    JsonObject,
    Path,
    Role,
    SchemaVisit,
    Severity,
    declare,
    edits,
    everywhere,
    listed,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{keywords} {verb} no effect here",
    "delete keywords without effect",
)
VISITS = SchemaVisit
# As `repr` shows them, since in Python 0 is equal to False.
_IDLE = {
    **dict.fromkeys(("minLength", "minItems", "minProperties"), ("0",)),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), ("False",)),
    **dict.fromkeys(("patternProperties", "dependentRequired", "dependentSchemas"), ("{}",)),
    **dict.fromkeys(("required", "examples"), ("[]",)),
    "pattern": ("''", "'.*'", "'^.*'"),
}

_NEEDING = {
    "if": ("then", "else"),
    "then": ("if",),
    "else": ("if",),
    "minContains": ("contains",),
    "maxContains": ("contains",),
}

KEYWORDS = _IDLE.keys() | _NEEDING.keys()

_SEEING = frozenset({"unevaluatedProperties", "unevaluatedItems"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such keywords of a schema, with a fix that deletes them."""
    seen = is_seen(visit)
    paths: list[Path] = [
        (*path, keyword)
        for keyword in sorted(KEYWORDS & visit.survey.uses.keys())
        for path, node in visit.using(keyword)
        if changes_nothing(keyword, node, is_seen=seen)
    ]
    if paths:
        yield together(paths, partial(_report, visit))


def _report(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    edit = everywhere(visit, paths, edits.delete_member)
    fix = edits.fix("delete keywords without effect", edit, safe=True)
    keywords = dict.fromkeys(str(path[-1]) for path in paths)
    verb = "has" if len(keywords) == 1 else "have"
    return visit.diagnostic(KIND, paths[0], fix=fix, keywords=listed(keywords), verb=verb)


def is_seen(visit: SchemaVisit) -> bool:
    """Return whether an outer schema may depend on the properties a subschema describes.

    That is possible in a definition: a schema that refers to it may reject all others.
    """
    return visit.role is Role.DEFINITION or not _SEEING.isdisjoint(visit.survey.uses)


def changes_nothing(keyword: str, node: JsonObject, *, is_seen: bool) -> bool:
    """Return whether a keyword of a schema can be removed without any effect.

    An `if` alone still describes properties and items.
    """
    if keyword == "if" and is_seen:
        return False
    if keyword in _NEEDING:
        return node.keys().isdisjoint(_NEEDING[keyword])
    return repr(node[keyword]) in _IDLE.get(keyword, ())
