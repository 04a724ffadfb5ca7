"""A result holds a credential."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, is_credential

KIND = declare(
    __name__,
    Severity.WARNING,
    "a result holds `{name}`, which is a credential",
    "leave it out, or return a link by which the user alone gets it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each text in a result that is named as a credential."""
    for each in visit.properties if visit.is_output else ():
        if is_credential(each):
            yield visit.diagnostic(KIND, each.path, name=each.name)
