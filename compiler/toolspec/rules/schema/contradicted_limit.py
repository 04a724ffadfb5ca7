"""The description of a number names other limits than its schema."""

from toolspec.rules.api import Diagnostics, Label, SchemaVisit, Severity, declare, stated_bounds

KIND = declare(
    __name__,
    Severity.WARNING,
    "the description says that the {keyword} is {told}, the schema says {stated}",
    "correct the one that is out of date",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic at each limit that the description contradicts."""
    for each in visit.properties if visit.is_input else ():
        if "maximum" not in each.schema and "minimum" not in each.schema:
            continue
        least, most = stated_bounds(each.schema)
        for keyword, told in (("minimum", least), ("maximum", most)):
            stated = each.schema.get(keyword)
            if told is None or stated is None or stated == told:
                continue
            place = visit.place(*each.path, "description")
            labels = [Label(place.value_span, "said here")] if place else []
            at = (*each.path, keyword)
            yield visit.diagnostic(
                KIND, at, labels=labels, keyword=keyword, told=told, stated=stated
            )
