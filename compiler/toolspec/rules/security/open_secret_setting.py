"""A setting that holds a secret does not say so."""

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
    "the setting `{name}` holds a secret and does not say so",
    "add `format: password`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each setting that is named as a credential and is not marked as one."""
    for each in visit.properties if visit.role in (Role.SETTINGS, Role.CREDENTIALS) else ():
        if is_credential(each) and each.schema.get("format") != "password":
            place = visit.place(*each.path)
            edit = edits.insert_member(place, "format", "password", after="type") if place else ()
            fix = edits.fix("add `format: password`", edit)
            yield visit.diagnostic(KIND, each.path, fix=fix, name=each.name)
