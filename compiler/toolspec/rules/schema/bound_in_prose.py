"""Only the description of a number states its maximum."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, edits, stated_bounds

KIND = declare(
    __name__,
    Severity.NOTE,
    "only the description of `{name}` states its maximum of {most}",
    "add `maximum: {most}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_LIMITING = frozenset({"maximum", "exclusiveMaximum", "enum", "const"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each number with a maximum in words, except parts of a range."""
    for each in visit.properties if visit.is_input else ():
        if "description" not in each.schema or not _LIMITING.isdisjoint(each.schema):
            continue
        least, most = stated_bounds(each.schema)
        if most is not None and (least is None or "minimum" in each.schema):
            location = visit.location(*each.path)
            edit = edits.insert_member(location, "maximum", most, after="type") if location else ()
            fix = edits.fix("state the maximum", edit)
            yield visit.diagnostic(KIND, each.path, fix=fix, name=each.name, most=most)
