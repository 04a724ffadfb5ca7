"""A parameter asks the model for a credential."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, is_credential

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{name}` asks the model for a credential",
    "get it from the service's `auth` or `settings`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each string parameter with the name of a credential."""
    for parameter in visit.properties if visit.is_input else ():
        if is_credential(parameter):
            yield visit.diagnostic(KIND, parameter.path, name=parameter.name)
