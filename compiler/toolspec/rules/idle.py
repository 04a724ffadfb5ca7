"""Keywords that change nothing with the value that they have, or without another beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.rules.visits import Role

if TYPE_CHECKING:
    from toolspec.rules.visits import SchemaVisit
    from toolspec.syntax.nodes import JsonObject

# As they are shown, since in Python 0 is equal to False.
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
    """Whether it may count which properties and items a subschema describes.

    It may in a definition: whoever refers to it may refuse the others.
    """
    return visit.role is Role.DEFINITION or not _SEEING.isdisjoint(visit.survey.uses)


def changes_nothing(keyword: str, node: JsonObject, *, is_seen: bool) -> bool:
    """Whether a keyword of a schema could be left out, and everything would stay as it is.

    An `if` alone describes properties and items all the same.
    """
    if keyword == "if" and is_seen:
        return False
    if keyword in _NEEDING:
        return node.keys().isdisjoint(_NEEDING[keyword])
    return repr(node[keyword]) in _IDLE.get(keyword, ())
