"""A description and its schema state different limits."""

from toolspec.rules.api import Diagnostics, Label, SchemaVisit, Severity, declare, stated_bounds

KIND = declare(
    __name__,
    Severity.WARNING,
    "the description says that the {keyword} is {described}, but the schema says {stated}",
    "correct the one that is out of date",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic at each limit that the description contradicts."""
    for parameter in visit.properties if visit.is_input else ():
        if "maximum" not in parameter.schema and "minimum" not in parameter.schema:
            continue
        least, most = stated_bounds(parameter.schema)
        for keyword, described in (("minimum", least), ("maximum", most)):
            stated = parameter.schema.get(keyword)
            if described is None or stated is None or stated == described:
                continue
            location = visit.location(*parameter.path, "description")
            labels = [Label(location.value_span, "stated here")] if location else []
            limit_path = (*parameter.path, keyword)
            yield visit.diagnostic(
                KIND, limit_path, labels=labels, keyword=keyword, described=described, stated=stated
            )
