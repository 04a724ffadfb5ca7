"""A result carries bytes of any length as text."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "a result carries bytes without a limit",
    "return a link, or limit it with `maxLength`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"contentEncoding"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each encoded text of a result that has no limit."""
    for path, node in visit.using("contentEncoding") if visit.is_output else ():
        if "maxLength" not in node:
            yield visit.diagnostic(KIND, (*path, "contentEncoding"))
