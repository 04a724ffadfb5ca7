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
    "say what it means, and when it is null or missing",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SPEAKING = ("title", "$ref", "enum", "const", "format", "properties", "items")
_PLAIN = frozenset({"description", "email", "id", "message", "name", "title", "url"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all undescribed members of a schema of results."""
    if not visit.is_output or visit.is_input:
        return
    properties = [member for member in visit.properties if not _speaks(member)]
    if properties:
        yield together(properties, partial(_report, visit), "and this")


def _report(visit: SchemaVisit, properties: Sequence[Property]) -> Diagnostic:
    members = listed(item.name for item in properties[:LABELS])
    have = "has" if len(properties) == 1 else "have"
    return visit.diagnostic(KIND, properties[0].path, members=members, have=have)


def _speaks(item: Property) -> bool:
    is_described = item.name in _PLAIN or bool(item.schema.get("description"))
    return is_described or any(item.schema.get(key) for key in _SPEAKING)
