"""A result contains a credential."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, is_credential

KIND = declare(
    __name__,
    Severity.WARNING,
    "the result contains the credential `{name}`",
    "leave it out, or return a link that only the user can open",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each string of a result with the name of a credential."""
    for member in visit.properties if visit.is_output else ():
        if is_credential(member):
            yield visit.diagnostic(KIND, member.path, name=member.name)
