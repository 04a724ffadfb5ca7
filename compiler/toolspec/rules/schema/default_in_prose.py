"""Only the description of a parameter states its default."""

from toolspec.rules.api import (
    Diagnostics,
    SchemaVisit,
    Severity,
    declare,
    edits,
    shown,
    stated_default,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "only the description of `{name}` states its default of {value}",
    "add `default: {value}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each optional parameter with a default in words."""
    for parameter in visit.properties if visit.is_input else ():
        if (
            parameter.is_required
            or "default" in parameter.schema
            or "description" not in parameter.schema
        ):
            continue
        stated = stated_default(parameter.schema)
        if stated is not None and all(stated.value != other.name for other in visit.properties):
            location = visit.location(*parameter.path)
            edit = (
                edits.insert_member(location, "default", stated.value, after="type")
                if location
                else ()
            )
            fix = edits.fix("add `default`", edit)
            value = shown(stated.value)
            yield visit.diagnostic(KIND, parameter.path, fix=fix, name=parameter.name, value=value)
