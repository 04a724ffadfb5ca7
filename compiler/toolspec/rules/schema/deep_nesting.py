"""Arguments are nested deeply."""

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    Levels,
    Role,
    SchemaVisit,
    Severity,
    declare,
    int_option,
    limit_option,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "the arguments have {levels} levels, more than {limit}",
    "move the important members to the top, or split the tool",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties", "$ref"})
OPTIONS = limit_option(4, "Maximum levels of named members.")


def check(visit: SchemaVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for arguments with more levels; a recursive schema counts once."""
    limit = int_option(options, "limit")
    if visit.role is not Role.INPUT:
        return
    longest = max((len(member.path) for member in visit.properties), default=0)
    if longest <= limit * 2 and "$ref" not in visit.survey.uses:
        return
    levels = Levels(visit.schema.bundle, visit.levels).below(visit.schema.bundle)
    if levels > limit:
        yield visit.diagnostic(KIND, (), levels=levels, limit=limit)
