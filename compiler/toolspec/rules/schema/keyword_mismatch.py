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
from toolspec.rules.grouping import everywhere
from toolspec.rules.rule import declare
from toolspec.rules.subjects import ABOUT, idle_keywords, misfits
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.contradictions import types_of
from toolspec.schema.findings import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{keyword}` says nothing about {types}",
    "delete it, or correct the `type`: it is about {about}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such keyword beside a `type`."""
    for path, node in misfits(visit.kinds, visit.survey.nodes):
        for keyword in idle_keywords(node):
            at = (*path, keyword)
            fix = edits.fix(f"delete `{keyword}`", everywhere(visit, [at], edits.delete_member))
            types, about = listed(sorted(types_of(node))), listed(sorted(ABOUT[keyword]))
            yield visit.finding(KIND, at, fix=fix, keyword=keyword, types=types, about=about)
