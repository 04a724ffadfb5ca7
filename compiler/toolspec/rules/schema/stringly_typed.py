"""A parameter hides a list or an object in a text."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Property,
    SchemaVisit,
    Severity,
    declare,
    hides_values,
    property_names,
    text_of,
    together,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{names} {verb} a list or an object in a text",
    "take it as what it is: `type: array` with `items`, or `type: object` with `properties`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = frozenset({"contentMediaType", "contentEncoding", "contentSchema", "enum", "const"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a schema."""
    if not visit.is_input:
        return
    found = [
        each
        for each in visit.properties
        if each.schema.get("type") == "string"
        and _SAYING.isdisjoint(each.schema)
        and hides_values(text_of(each.schema))
    ]
    if found:
        yield together(found, partial(_tell, visit))


def _tell(visit: SchemaVisit, found: Sequence[Property]) -> Diagnostic:
    verb = "hides" if len(found) == 1 else "hide"
    return visit.diagnostic(KIND, found[0].path, names=property_names(found), verb=verb)
