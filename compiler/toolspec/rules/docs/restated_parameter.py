"""The description of a parameter only repeats its name."""

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
    "the {description} of {parameters} only {says} the name",
    "say what to write: the format, the unit, an example",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
LONG = 60
_TELLING = frozenset({"const", "default", "enum", "examples", "format", "pattern"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a schema that a model writes."""
    if not visit.is_input:
        return
    properties = [member for member in visit.properties if _is_bare(member)]
    if properties:
        yield together(properties, partial(_report, visit), "and this")


def _report(visit: SchemaVisit, properties: Sequence[Property]) -> Diagnostic:
    is_one = len(properties) == 1
    return visit.diagnostic(
        KIND,
        (*properties[0].path, "description"),
        description="description" if is_one else "descriptions",
        parameters=listed(member.name for member in properties),
        says="repeats" if is_one else "repeat",
    )


def _is_bare(parameter: Property) -> bool:
    text = parameter.schema.get("description")
    if not isinstance(text, str) or len(text) > LONG or _TELLING.intersection(parameter.schema):
        return False
    return plain_words(text).issubset(plain_words_of(parameter.name))
