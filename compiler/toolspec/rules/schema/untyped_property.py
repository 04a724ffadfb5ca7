"""A property has no type."""

import re
from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    IN_PLACE,
    Diagnostic,
    Diagnostics,
    Property,
    SchemaVisit,
    Severity,
    applied,
    declare,
    implied_type,
    property_names,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{names} {verb} no type",
    "add `type`, or say in the description that any value is allowed",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_TYPING = frozenset({"type", "enum", "const", "$ref", "properties", "items"}) | IN_PLACE
# Below these, a schema adds to the description of a property.
_REFINING = IN_PLACE - {"anyOf", "oneOf"}
_ANYTHING = re.compile(r"\b(?:any|anything|arbitrary|JSON)\b", re.IGNORECASE)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such properties of a schema."""
    properties = [
        member
        for member in visit.properties
        if _TYPING.isdisjoint(member.schema)
        and not implied_type(member.schema)
        and _is_bare(member)
    ]
    if properties:
        yield together(properties, partial(_report, visit))


def _report(visit: SchemaVisit, properties: Sequence[Property]) -> Diagnostic:
    verb = "has" if len(properties) == 1 else "have"
    return visit.diagnostic(KIND, properties[0].path, names=property_names(properties), verb=verb)


def _is_bare(candidate: Property) -> bool:
    text = candidate.schema.get("description")
    states_any = isinstance(text, str) and _ANYTHING.search(text)
    return not states_any and _REFINING.isdisjoint(applied(candidate.path))
