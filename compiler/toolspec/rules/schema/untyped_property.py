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
    "nothing says of which type {names} {verb}",
    "state the `type`, or write in the description that any value will do",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = frozenset({"type", "enum", "const", "$ref", "properties", "items"}) | IN_PLACE
# Below these a property is described a second time, for a case of its own.
_REFINING = IN_PLACE - {"anyOf", "oneOf"}
_ANYTHING = re.compile(r"\b(?:any|anything|arbitrary|JSON)\b", re.IGNORECASE)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such properties of a schema."""
    bare = [
        each
        for each in visit.properties
        if _SAYING.isdisjoint(each.schema) and not implied_type(each.schema) and _is_bare(each)
    ]
    if bare:
        yield together(bare, partial(_tell, visit))


def _tell(visit: SchemaVisit, bare: Sequence[Property]) -> Diagnostic:
    verb = "is" if len(bare) == 1 else "are"
    return visit.diagnostic(KIND, bare[0].path, names=property_names(bare), verb=verb)


def _is_bare(found: Property) -> bool:
    text = found.schema.get("description")
    said = isinstance(text, str) and _ANYTHING.search(text)
    return not said and _REFINING.isdisjoint(applied(found.path))
