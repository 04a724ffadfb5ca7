"""A parameter for consent is true by default."""

import re

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, declare, words_of

KIND = declare(
    __name__,
    Severity.ERROR,
    "`{name}` of `{tool}` is true by default",
    "delete the default, or set it to `false`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_ACTS = {("approve",), ("confirm",)}
_SAFEGUARD = re.compile(
    r"\b(approv|bypass|check|confirm|consent|guard|ignor|lock|permission|protect|prompt|safe|skip|warn)",
    re.IGNORECASE,
)
_STATES = {("approved",), ("confirmed",), ("yes",), ("is", "approved"), ("is", "confirmed")}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each flag of consent with `default: true` in a mutating tool."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not tool.mutation:
        return
    for member in visit.properties:
        words = words_of(member.name) if member.schema.get("default") is True else ()
        is_forced = words[:1] == ("force",) and _SAFEGUARD.search(
            str(member.schema.get("description"))
        )
        if words[:1] in _ACTS or words in _STATES or is_forced:
            yield visit.diagnostic(
                KIND, (*member.path, "default"), name=member.name, tool=tool.name
            )
