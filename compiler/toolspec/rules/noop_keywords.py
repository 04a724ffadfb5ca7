"""Keywords without effect: with their value, or for lack of another keyword."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.rules.visits import Role

if TYPE_CHECKING:
    from toolspec.rules.visits import SchemaVisit
    from toolspec.syntax.nodes import JsonObject

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
