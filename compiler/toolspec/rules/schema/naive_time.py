"""A point in time has no format, or no time zone."""

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
    "{problem} {names}",
    "use `format: date-time` for a moment, `format: date` for a day",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_TIME = re.compile(
    r"(?:.*_)?(?:date|datetime)|.+_(?:at|time|timestamp)|[a-z]+(?:At|Date|Time|Timestamp|DateTime)"
    r"|since|until"
)
_RESTRICTING = frozenset({"format", "pattern", "enum", "const"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all times without a format, one for all without a time zone."""
    if not visit.is_input:
        return
    times = [
        member
        for member in visit.properties
        if _TIME.fullmatch(member.name) and _is_free(member.schema)
    ]
    problems = [(time, open_in_time(text_of(time.schema))) for time in times]
    for problem in dict.fromkeys(problem for _, problem in problems if problem):
        properties = [time for time, other in problems if other == problem]
        yield together(properties, partial(_report, visit, problem))


def _report(visit: SchemaVisit, problem: str, properties: Sequence[Property]) -> Diagnostic:
    return visit.diagnostic(
        KIND, properties[0].path, names=property_names(properties), problem=problem
    )


def _is_free(schema: JsonObject) -> bool:
    return schema.get("type") == "string" and _RESTRICTING.isdisjoint(schema)
