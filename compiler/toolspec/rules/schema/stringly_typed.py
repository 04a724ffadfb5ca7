"""A string contains a list or an object."""

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
    "{names} {verb} a list or an object in a string",
    "use `type: array` with `items`, or `type: object` with `properties`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_RESTRICTING = frozenset({"contentMediaType", "contentEncoding", "contentSchema", "enum", "const"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a schema."""
    if not visit.is_input:
        return
    properties = [
        member
        for member in visit.properties
        if member.schema.get("type") == "string"
        and _RESTRICTING.isdisjoint(member.schema)
        and hides_values(text_of(member.schema))
    ]
    if properties:
        yield together(properties, partial(_report, visit))


def _report(visit: SchemaVisit, properties: Sequence[Property]) -> Diagnostic:
    verb = "hides" if len(properties) == 1 else "hide"
    return visit.diagnostic(KIND, properties[0].path, names=property_names(properties), verb=verb)
