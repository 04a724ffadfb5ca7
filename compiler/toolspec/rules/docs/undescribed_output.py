"""A member of a result has no description.

A model that reads the result explains it to a person. From a bare name it can only guess what a
number counts and what a null means.

Reported:

    tools:
      - name: get
        outputSchema:
          type: object
          properties:
            score: {type: number}

Accepted:

    tools:
      - name: get
        outputSchema:
          type: object
          properties:
            score: {type: number, description: How well the text fits, from 0 to 1.}
            id: {type: string}
            state: {enum: [open, closed]}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.grouping import LABELS, together
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{members} of the result {have} no description",
    "say in a sentence what it means, and when it is null or left out",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SPEAKING = ("title", "$ref", "enum", "const", "format", "properties", "items")
_PLAIN = frozenset({"description", "email", "id", "message", "name", "title", "url"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such members of a schema that no model writes."""
    if not visit.is_output or visit.is_input:
        return
    bare = [each for each in visit.properties if not _speaks(each)]
    if bare:
        yield together(bare, partial(_tell, visit), "nor this")


def _tell(visit: SchemaVisit, bare: Sequence[Property]) -> Diagnostic:
    members = listed(each.name for each in bare[:LABELS])
    have = "has" if len(bare) == 1 else "have"
    return visit.finding(KIND, bare[0].path, members=members, have=have)


def _speaks(each: Property) -> bool:
    is_told = each.name in _PLAIN or bool(each.schema.get("description"))
    return is_told or any(each.schema.get(key) for key in _SPEAKING)
