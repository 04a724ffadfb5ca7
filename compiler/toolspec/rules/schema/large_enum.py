"""An `enum` has too many values."""

from toolspec.rules.api import Diagnostics, JsonObject, SchemaVisit, Severity, declare, limit_option

KIND = declare(
    __name__,
    Severity.WARNING,
    "this `enum` has {count:,} values, more than {limit}",
    "accept any string, and add a tool that looks up the values",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
OPTIONS = limit_option(100, "Maximum values of an `enum`.")


def check(visit: SchemaVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each longer `enum` in a schema of arguments."""
    limit = options["limit"]
    assert isinstance(limit, int)
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        if isinstance(values, list) and len(values) > limit:
            yield visit.diagnostic(KIND, (*path, "enum"), count=len(values), limit=limit)
