"""A parameter's description only says its name again."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Property,
    SchemaVisit,
    Severity,
    declare,
    listed,
    plain_words,
    plain_words_of,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "the {description} of {parameters} {says} no more than the name",
    "say what to write there: the format, the unit, an example",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
LONG = 60
_TELLING = frozenset({"const", "default", "enum", "examples", "format", "pattern"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a schema that a model writes."""
    if not visit.is_input:
        return
    found = [each for each in visit.properties if _is_bare(each)]
    if found:
        yield together(found, partial(_tell, visit), "nor this")


def _tell(visit: SchemaVisit, found: Sequence[Property]) -> Diagnostic:
    is_one = len(found) == 1
    return visit.diagnostic(
        KIND,
        (*found[0].path, "description"),
        description="description" if is_one else "descriptions",
        parameters=listed(each.name for each in found),
        says="says" if is_one else "say",
    )


def _is_bare(each: Property) -> bool:
    text = each.schema.get("description")
    if not isinstance(text, str) or len(text) > LONG or _TELLING.intersection(each.schema):
        return False
    return plain_words(text).issubset(plain_words_of(each.name))
