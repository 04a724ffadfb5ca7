"""A model has to write a credential."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, is_credential

KIND = declare(
    __name__,
    Severity.WARNING,
    "a model has to write the credential `{name}`",
    "get it from the service's `auth` or `settings`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each text among the arguments with the name of a credential."""
    for parameter in visit.properties if visit.is_input else ():
        if is_credential(parameter):
            yield visit.diagnostic(KIND, parameter.path, name=parameter.name)
