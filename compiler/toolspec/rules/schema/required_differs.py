"""A description and its schema disagree about whether a parameter is required."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, text_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "the description says that `{name}` is {described}, but the schema says {stated}",
    "correct the wrong one; only the schema needs to state it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
# Alone, or as the first word. A condition, such as `required if …`, does not match.
_WORD = re.compile(
    r"\s*(?:[(\[](optional|required)[)\]]|(optional|required)\s*(?:[.:!;,]|$))"
    r"|.*[(\[](optional|required)[)\]]\.?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each parameter whose description begins or ends with the wrong word."""
    for parameter in visit.properties if visit.is_input else ():
        text = text_of(parameter.schema)
        match = _WORD.match(text) if "ptional" in text or "equired" in text else None
        described = next(filter(None, match.groups()), "").casefold() if match else ""
        stated = "required" if parameter.is_required else "optional"
        if described and described != stated:
            yield visit.diagnostic(
                KIND, parameter.path, name=parameter.name, described=described, stated=stated
            )
