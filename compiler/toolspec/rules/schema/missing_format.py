"""A name says what kind of text it is, and no `format` does.

`format: uri` or `uuid` tells clients what to offer, what to check and what to generate; some providers hold a model to
it. From a name each of them has to guess.

Reported:

    tools:
      - name: fetch
        inputSchema:
          type: object
          properties: {webhookUrl: {type: string}, owner_email: {type: string}}

Accepted:

    tools:
      - name: fetch
        inputSchema:
          type: object
          properties:
            url: {type: string, format: uri}
            order_id: {type: string}
            curl: {type: string}
            short_url: {type: string, description: A URL or the name of a link.}
        outputSchema: {type: object, properties: {url: {type: string}}}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.formats import format_of
from toolspec.rules.grouping import everywhere, names, together
from toolspec.rules.prose import text_of
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property
    from toolspec.syntax.nodes import Place

KIND = declare(
    __name__, __doc__, Severity.NOTE, "{names} {verb} no `format`", "state it: `format: {format}`"
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = frozenset({"format", "pattern", "enum", "const", "contentEncoding"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all parameters of a schema that lack the same format."""
    if not visit.is_input:
        return
    found = [(each, named) for each in visit.properties if (named := _format(each))]
    for named in dict.fromkeys(named for _, named in found):
        such = [each for each, known in found if known == named]
        yield together(such, partial(_tell, visit, named))


def _tell(visit: SchemaVisit, named: str, found: Sequence[Property]) -> Diagnostic:
    paths = [each.path for each in found]
    fix = edits.fix("state the format", everywhere(visit, paths, partial(_state, named)))
    verb = "has" if len(found) == 1 else "have"
    return visit.finding(KIND, paths[0], fix=fix, names=names(found), verb=verb, format=named)


def _state(named: str, place: Place) -> edits.Edits:
    return edits.insert_member(place, "format", named, after="type")


def _format(found: Property) -> str:
    """Return the format that a name stands for; empty where it may be something else."""
    schema = found.schema
    is_bare = schema.get("type") == "string" and _SAYING.isdisjoint(schema)
    return format_of(found.name) if is_bare and " or " not in text_of(schema) else ""
