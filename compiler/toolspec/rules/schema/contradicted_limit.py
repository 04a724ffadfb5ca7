"""A description and its schema state different limits."""

from toolspec.rules.api import Diagnostics, Label, SchemaVisit, Severity, declare, stated_bounds

KIND = declare(
    __name__,
    Severity.WARNING,
    "the description says that the {keyword} is {told}, but the schema says {stated}",
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
        for keyword, said in (("minimum", least), ("maximum", most)):
            stated = each.schema.get(keyword)
            if said is None or stated is None or stated == said:
                continue
            location = visit.location(*each.path, "description")
            labels = [Label(location.value_span, "stated here")] if location else []
            at = (*each.path, keyword)
            yield visit.diagnostic(
                KIND, at, labels=labels, keyword=keyword, told=said, stated=stated
            )
