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
# Values as `repr` returns them, since in Python 0 is equal to False.
_VALUES_WITHOUT_EFFECT = {
    **dict.fromkeys(("minLength", "minItems", "minProperties"), ("0",)),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), ("False",)),
    **dict.fromkeys(("patternProperties", "dependentRequired", "dependentSchemas"), ("{}",)),
    **dict.fromkeys(("required", "examples"), ("[]",)),
    "pattern": ("''", "'.*'", "'^.*'"),
}

_REQUIRED_SIBLINGS = {
    "if": ("then", "else"),
    "then": ("if",),
    "else": ("if",),
    "minContains": ("contains",),
    "maxContains": ("contains",),
}

KEYWORDS = _VALUES_WITHOUT_EFFECT.keys() | _REQUIRED_SIBLINGS.keys()

_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such keywords of a schema, with a fix that deletes them."""
    is_evaluated = may_be_evaluated(visit)
    paths: list[Path] = [
        (*path, keyword)
        for keyword in sorted(KEYWORDS & visit.survey.uses.keys())
        for path, node in visit.using(keyword)
        if changes_nothing(keyword, node, is_evaluated=is_evaluated)
    ]
    if paths:
        yield together(paths, partial(_report, visit))


def _report(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    edit = everywhere(visit, paths, edits.delete_member)
    fix = edits.fix("delete keywords without effect", edit, safe=True)
    keywords = dict.fromkeys(str(path[-1]) for path in paths)
    verb = "has" if len(keywords) == 1 else "have"
    return visit.diagnostic(KIND, paths[0], fix=fix, keywords=listed(keywords), verb=verb)


def may_be_evaluated(visit: SchemaVisit) -> bool:
    """Return whether an outer `unevaluated…` keyword may depend on a subschema.

    For a definition it may be in a schema that refers to it.
    """
    return visit.role is Role.DEFINITION or not _UNEVALUATED.isdisjoint(visit.survey.uses)


def changes_nothing(keyword: str, node: JsonObject, *, is_evaluated: bool) -> bool:
    """Return whether a keyword of a schema can be removed without any effect.

    An `if` alone still describes properties and items.
    """
    if keyword == "if" and is_evaluated:
        return False
    if keyword in _REQUIRED_SIBLINGS:
        return node.keys().isdisjoint(_REQUIRED_SIBLINGS[keyword])
    return repr(node[keyword]) in _VALUES_WITHOUT_EFFECT.get(keyword, ())
