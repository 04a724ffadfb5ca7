"""A list of allowed values is very long."""

from toolspec.rules.api import Diagnostics, JsonObject, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "{count:,} values are listed, more than {limit}",
    "take any text, and offer a tool that looks the values up",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 1,
        "default": 100,
        "description": "The most values of an `enum` that a model has to read.",
    }
}


def check(visit: SchemaVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for each longer list in what a model writes."""
    limit = options["limit"]
    assert isinstance(limit, int)
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        if isinstance(values, list) and len(values) > limit:
            yield visit.diagnostic(KIND, (*path, "enum"), count=len(values), limit=limit)
