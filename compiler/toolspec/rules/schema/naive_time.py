"""A point in time is a text of no stated form, or of one without a zone."""

import re
from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    JsonObject,
    Property,
    SchemaVisit,
    Severity,
    declare,
    open_in_time,
    property_names,
    text_of,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{problem} time in {names}",
    "write `format: date-time` for a moment, `format: date` for a day",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_TIME = re.compile(
    r"(?:.*_)?(?:date|datetime)|.+_(?:at|time|timestamp)|[a-z]+(?:At|Date|Time|Timestamp|DateTime)"
    r"|since|until"
)
_SAYING = frozenset({"format", "pattern", "enum", "const"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all texts without a form, one for all without a zone."""
    if not visit.is_input:
        return
    times = [
        each for each in visit.properties if _TIME.fullmatch(each.name) and _is_free(each.schema)
    ]
    told = [(each, open_in_time(text_of(each.schema))) for each in times]
    for problem in dict.fromkeys(problem for _, problem in told if problem):
        found = [each for each, known in told if known == problem]
        yield together(found, partial(_tell, visit, problem))


def _tell(visit: SchemaVisit, problem: str, found: Sequence[Property]) -> Diagnostic:
    return visit.diagnostic(KIND, found[0].path, names=property_names(found), problem=problem)


def _is_free(schema: JsonObject) -> bool:
    return schema.get("type") == "string" and _SAYING.isdisjoint(schema)
