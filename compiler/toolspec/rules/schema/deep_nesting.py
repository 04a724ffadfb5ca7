"""Arguments are nested deeply.

Models forget closing brackets and put members on the wrong level the more often the deeper they are.
Providers that force the form of arguments have limits of five to ten levels. What a tool needs can
mostly be said flat, or in two calls.

Reported:

    options: {limit: 2}
    tools:
      - name: place
        inputSchema:
          type: object
          properties:
            order: {type: object, properties: {lines: {type: array, items: {$ref: "#/$defs/Line"}}}}
          $defs: {Line: {type: object, properties: {sku: {type: string}}}}

Accepted:

    options: {limit: 2}
    tools:
      - name: place
        inputSchema:
          type: object
          properties: {order: {type: object, properties: {lines: {type: array, items: {type: string}}}}}
    ---
    tools:
      - name: place
        inputSchema:
          type: object
          properties: {tree: {$ref: "#/$defs/Tree"}}
          $defs: {Tree: {type: object, properties: {left: {$ref: "#/$defs/Tree"}}}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.levels import Known, Levels
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "arguments go {levels} levels deep, more than {limit}",
    "lift what matters to the top, or split the tool in two",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties", "$ref"})
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 1,
        "default": 4,
        "description": "The most levels of named members.",
    }
}


def check(visit: SchemaVisit, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for arguments with more levels; a schema that holds itself counts once."""
    limit = options["limit"]
    assert isinstance(limit, int)
    if visit.role is not Role.INPUT:
        return
    longest = max((len(each.path) for each in visit.properties), default=0)
    if longest <= limit * 2 and "$ref" not in visit.survey.uses:
        return
    levels = Levels(visit.schema.bundle, _known_of(visit.service)).below(visit.schema.bundle)
    if levels > limit:
        yield visit.finding(KIND, (), levels=levels, limit=limit)


def _known_of(service: Service) -> Known:
    """Return what is known of the definitions of a service, the last that was asked about."""
    if not _latest or _latest[0][0] is not service:
        _latest[:] = [(service, Known())]
    return _latest[0][1]


_latest: list[tuple[Service, Known]] = []
