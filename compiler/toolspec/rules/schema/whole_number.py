"""A count or a position can be a fraction."""

import re
from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Property,
    SchemaVisit,
    Severity,
    declare,
    edits,
    everywhere,
    property_names,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{names} can be a fraction",
    "write `type: integer`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_COUNTING = re.compile(
    r"(?:limit|offset|skip|page|pageNum|perPage|pageSize|maxResults|count|index|top_?k"
    r"|(?:.*_)?(?:per_page|page_size|page_number|max_results|count|index|number|offset|retries)"
    r"|[a-z]+(?:Count|Index|Offset|Number|PerPage|PageSize|MaxResults|Retries))"
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a schema."""
    if not visit.is_input:
        return
    properties = [
        member
        for member in visit.properties
        if member.schema.get("type") == "number"
        and "multipleOf" not in member.schema
        and _COUNTING.fullmatch(member.name)
    ]
    if properties:
        yield together(properties, partial(_report, visit))


def _report(visit: SchemaVisit, properties: Sequence[Property]) -> Diagnostic:
    paths = [(*member.path, "type") for member in properties]
    edit = everywhere(visit, paths, lambda location: edits.replace_value(location, "integer"))
    return visit.diagnostic(
        KIND, paths[0], fix=edits.fix("write `integer`", edit), names=property_names(properties)
    )
