"""Only the description of a parameter lists its values."""

from toolspec.rules.api import (
    Diagnostics,
    SchemaVisit,
    Severity,
    declare,
    edits,
    listed,
    stated_values,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "only the description of `{name}` lists its values: {values}",
    "list them in an `enum`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_RESTRICTING = frozenset({"enum", "const", "pattern", "format"})
_MAX_VALUES = 20


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each parameter with values in words, except names of other parameters."""
    for parameter in visit.properties if visit.is_input else ():
        if not _RESTRICTING.isdisjoint(parameter.schema):
            continue
        values = stated_values(parameter.schema)
        if 1 < len(values) <= _MAX_VALUES and not _names(visit).issuperset(values):
            location = visit.location(*parameter.path)
            edit = (
                edits.insert_member(location, "enum", list(values), after="type")
                if location
                else ()
            )
            fix = edits.fix("list the values in an `enum`", edit)
            listed_values = listed(values)
            yield visit.diagnostic(
                KIND, parameter.path, fix=fix, name=parameter.name, values=listed_values
            )


def _names(visit: SchemaVisit) -> set[str]:
    return {member.name for member in visit.properties}
