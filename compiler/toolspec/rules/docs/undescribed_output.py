"""A member of a result has no description."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    LABELS,
    Diagnostic,
    Diagnostics,
    Property,
    SchemaVisit,
    Severity,
    declare,
    listed,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{members} of the result {have} no description",
    "say in a sentence what it means, and when it is null or left out",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SPEAKING = ("title", "$ref", "enum", "const", "format", "properties", "items")
_PLAIN = frozenset({"description", "email", "id", "message", "name", "title", "url"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such members of a schema that no model writes."""
    if not visit.is_output or visit.is_input:
        return
    bare = [each for each in visit.properties if not _speaks(each)]
    if bare:
        yield together(bare, partial(_tell, visit), "nor this")


def _tell(visit: SchemaVisit, bare: Sequence[Property]) -> Diagnostic:
    members = listed(each.name for each in bare[:LABELS])
    have = "has" if len(bare) == 1 else "have"
    return visit.diagnostic(KIND, bare[0].path, members=members, have=have)


def _speaks(each: Property) -> bool:
    is_told = each.name in _PLAIN or bool(each.schema.get("description"))
    return is_told or any(each.schema.get(key) for key in _SPEAKING)
