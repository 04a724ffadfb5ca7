"""A parameter's description only says its name again.

`The query` says of `query` what it is called. What a model needs is what to write there: the format,
an example, what happens without it.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            pageSize: {type: integer, description: The page size.}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            pageSize: {type: integer, description: "How many at most, up to 100."}
            state: {enum: [open, closed], description: The state.}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import together
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed, plain_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the {description} of {parameters} {says} no more than the name",
    "say what to write there: the format, the unit, an example",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
LONG = 60
_TELLING = frozenset({"const", "default", "enum", "examples", "format", "pattern"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema that a model writes."""
    if not visit.is_input:
        return
    found = [each for each in visit.properties if _is_bare(each)]
    if found:
        yield together(found, partial(_tell, visit), "nor this")


def _tell(visit: SchemaVisit, found: Sequence[Property]) -> Diagnostic:
    is_one = len(found) == 1
    return visit.finding(
        KIND,
        (*found[0].path, "description"),
        description="description" if is_one else "descriptions",
        parameters=listed(each.name for each in found),
        says="says" if is_one else "say",
    )


def _is_bare(each: Property) -> bool:
    text = each.schema.get("description")
    if not isinstance(text, str) or len(text) > LONG or _TELLING.intersection(each.schema):
        return False
    return plain_words(text) <= plain_words(" ".join(words_of(each.name)))
