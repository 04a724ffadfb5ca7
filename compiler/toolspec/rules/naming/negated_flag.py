"""The name of a flag says what it turns off."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, words_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "the name of the flag `{name}` says what it turns off",
    "name what it turns on, with `default: true` if that is the common case",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_NEGATIONS = frozenset(
    {"disable", "dont", "exclude", "ignore", "never", "no", "not", "skip", "without"}
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each boolean whose name begins with a negation."""
    if not visit.is_input:
        return
    for member in visit.properties:
        words = words_of(member.name) if member.schema.get("type") == "boolean" else []
        if len(words) > 1 and words[0] in _NEGATIONS:
            yield visit.diagnostic(KIND, member.path, name=member.name)
