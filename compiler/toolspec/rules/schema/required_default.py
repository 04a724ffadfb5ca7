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

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.rule import declare
from toolspec.rules.several import together
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{names} {verb} required, so that the default never applies",
    "take {it} out of `required`, or delete the default",
)
VISITS = SchemaVisit


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
        names = listed(dict.fromkeys(each.name for each in found))
        paths = [(*each.path, "default") for each in found]
        places = [place for path in paths if (place := visit.place(*path))]
        edit = tuple(edit for place in places for edit in edits.delete_member(place))
        fix = edits.fix("delete the default", edit)
        verb, it = ("is", "it") if len(found) == 1 else ("are", "them")
        yield together(visit, KIND, paths, fix=fix, names=names, verb=verb, it=it)
