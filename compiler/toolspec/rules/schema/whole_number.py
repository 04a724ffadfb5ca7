"""A count or a position may have a fraction.

`type: number` lets 2.5 through as a page or a limit. What the handler makes of it is chance, and generated code has
a floating-point number where an index belongs.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {page: {type: number}, maxResults: {type: number}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            page: {type: integer}
            limit: {type: number, multipleOf: 1}
            temperature: {type: number}
            spending_limit: {type: number, description: In euros.}
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.grouping import everywhere, names, together
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{names} may have a fraction",
    "write `type: integer`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_COUNTING = re.compile(
    r"(?:limit|offset|skip|page|pageNum|perPage|pageSize|maxResults|count|index|top_?k"
    r"|(?:.*_)?(?:per_page|page_size|page_number|max_results|count|index|number|offset|retries)"
    r"|[a-z]+(?:Count|Index|Offset|Number|PerPage|PageSize|MaxResults|Retries))"
)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema."""
    if not visit.is_input:
        return
    found = [
        each
        for each in visit.properties
        if each.schema.get("type") == "number"
        and "multipleOf" not in each.schema
        and _COUNTING.fullmatch(each.name)
    ]
    if found:
        yield together(found, partial(_tell, visit))


def _tell(visit: SchemaVisit, found: Sequence[Property]) -> Diagnostic:
    paths = [(*each.path, "type") for each in found]
    edit = everywhere(visit, paths, lambda place: edits.replace_value(place, "integer"))
    return visit.finding(KIND, paths[0], fix=edits.fix("write `integer`", edit), names=names(found))
