"""A result contains encoded bytes without a limit."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the result contains bytes without a limit",
    "return a link, or limit them with `maxLength`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"contentEncoding"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each encoded text of a result without a limit."""
    for path, node in visit.using("contentEncoding") if visit.is_output else ():
        if "maxLength" not in node:
            yield visit.diagnostic(KIND, (*path, "contentEncoding"))
