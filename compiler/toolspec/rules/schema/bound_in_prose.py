"""Only the description of a number states its maximum."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, edits, stated_bounds

KIND = declare(
    __name__,
    Severity.NOTE,
    "only the description of `{name}` states its maximum of {maximum}",
    "add `maximum: {maximum}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_LIMITING = frozenset({"maximum", "exclusiveMaximum", "enum", "const"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each number with a described maximum, unless only a range is described."""
    for parameter in visit.properties if visit.is_input else ():
        if "description" not in parameter.schema or not _LIMITING.isdisjoint(parameter.schema):
            continue
        minimum, maximum = stated_bounds(parameter.schema)
        if maximum is not None and (minimum is None or "minimum" in parameter.schema):
            location = visit.location(*parameter.path)
            edit = (
                edits.insert_member(location, "maximum", maximum, after="type") if location else ()
            )
            fix = edits.fix("add `maximum`", edit)
            yield visit.diagnostic(
                KIND, parameter.path, fix=fix, name=parameter.name, maximum=maximum
            )
