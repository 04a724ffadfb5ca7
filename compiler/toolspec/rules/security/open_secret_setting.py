"""A setting for a secret has no `format: password`."""

from toolspec.rules.api import (
    Diagnostics,
    Role,
    SchemaVisit,
    Severity,
    declare,
    edits,
    is_credential,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "the setting `{name}` is a secret, but has no `format: password`",
    "add `format: password`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each setting with the name of a credential and another format."""
    for setting in visit.properties if visit.role in (Role.SETTINGS, Role.CREDENTIALS) else ():
        if is_credential(setting) and setting.schema.get("format") != "password":
            location = visit.location(*setting.path)
            edit = (
                edits.insert_member(location, "format", "password", after="type")
                if location
                else ()
            )
            fix = edits.fix("add `format: password`", edit)
            yield visit.diagnostic(KIND, setting.path, fix=fix, name=setting.name)
