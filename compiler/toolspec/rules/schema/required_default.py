"""A parameter is required and has a default.

The default never applies: a call without the parameter is refused. Either it should be optional, or the
default is only an example and misleads whoever reads it.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {limit: {type: integer, default: 20}}
          required: [limit]

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {limit: {type: integer, default: 20}, query: {type: string}}
          required: [query]
        outputSchema: {type: object, properties: {more: {type: boolean, default: false}}, required: [more]}
    ---
    tools:
      - name: draw
        inputSchema:
          type: object
          properties: {kind: {const: dot, default: dot}}
          required: [kind]
"""

from __future__ import annotations

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
    Severity.WARNING,
    "{names} {verb} required, so that the default never applies",
    "take {it} out of `required`, or delete the default",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"default"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema."""
    if "default" not in visit.survey.uses or not visit.is_input or visit.is_output:
        return
    found = [
        each
        for each in visit.properties
        if each.is_required and "default" in each.schema and "const" not in each.schema
    ]
    if found:
        yield together(found, partial(_tell, visit))


def _tell(visit: SchemaVisit, found: Sequence[Property]) -> Diagnostic:
    paths = [(*each.path, "default") for each in found]
    fix = edits.fix("delete the default", everywhere(visit, paths, edits.delete_member))
    verb, it = ("is", "it") if len(found) == 1 else ("are", "them")
    return visit.finding(KIND, paths[0], fix=fix, names=names(found), verb=verb, it=it)
