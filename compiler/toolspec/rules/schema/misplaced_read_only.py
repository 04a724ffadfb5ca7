"""`readOnly` or `writeOnly` marks a property in the wrong direction."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{keyword}` does not apply to {where}",
    "delete the property, or the keyword",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"readOnly", "writeOnly"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each such mark, except in schemas of both arguments and results."""
    if visit.is_input == visit.is_output:
        return
    is_input = visit.is_input
    keyword, where = ("readOnly", "arguments") if is_input else ("writeOnly", "results")
    for path, node in visit.using(keyword):
        if node[keyword] is True:
            yield visit.diagnostic(KIND, (*path, keyword), keyword=keyword, where=where)
