"""A keyword is about another type than the one that is stated.

`minimum` limits numbers only: beside `type: string` it refuses nothing. Either the type or the keyword
is a slip, and a limit that somebody relies on is not there.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {limit: {type: string, maximum: 100}}
    ---
    tools:
      - name: search
        inputSchema:
          type: object
          properties: {since: {type: integer, format: date-time}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            limit: {type: [integer, "null"], maximum: 100}
            size: {minLength: 2, maximum: 9}
            count: {type: integer, format: int64}
            day: {type: string, format: date, minLength: 10}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.formats import STANDARD
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.contradictions import types_of
from toolspec.schema.findings import listed
from toolspec.schema.keywords import TYPES, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{keyword}` says nothing about {types}",
    "delete it, or correct the `type`: it is about {about}",
)
VISITS = SchemaVisit
_NUMBER, _TEXT, _LIST, _OBJECT = {"number", "integer"}, {"string"}, {"array"}, {"object"}
_ABOUT = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum"), _NUMBER),
    **dict.fromkeys(("exclusiveMaximum", "multipleOf"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format", "contentEncoding"), _TEXT),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems", "uniqueItems"), _LIST),
    **dict.fromkeys(("contains", "unevaluatedItems"), _LIST),
    **dict.fromkeys(("properties", "patternProperties", "additionalProperties"), _OBJECT),
    **dict.fromkeys(("required", "minProperties", "maxProperties", "propertyNames"), _OBJECT),
}

# All keywords of which one need not ask beside a type, for a quick look; of formats one has to.
_NONE: frozenset[str] = frozenset()
_FITTING = {
    kind: (frozenset(VALUES) - _ABOUT.keys())
    | {keyword for keyword, about in _ABOUT.items() if kind in about}
    for kind in TYPES
}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such keyword beside a `type`."""
    for path, node in visit.using("type"):
        if _FITTING.get(str(node["type"]), _NONE).issuperset(node):
            continue
        for keyword in _idle(node):
            place = visit.place(*path, keyword)
            found = edits.fix(f"delete `{keyword}`", edits.delete_member(place)) if place else None
            types, about = listed(sorted(types_of(node))), listed(sorted(_ABOUT[keyword]))
            at = (*path, keyword)
            yield visit.finding(KIND, at, fix=found, keyword=keyword, types=types, about=about)


def _idle(node: JsonObject) -> list[str]:
    """Return the keywords of a schema that none of its types is touched by."""
    idle = [word for word in node if word in _ABOUT and _ABOUT[word].isdisjoint(types_of(node))]
    return [word for word in idle if word != "format" or node[word] in STANDARD]
