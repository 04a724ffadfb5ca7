"""A description begins with filler words."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` begins with the filler `{opening}`",
    "begin with the verb that says what the tool does",
)
VISITS = ToolVisit
_OPENING = re.compile(
    r"(?i)(?:this|the) (?:tool|function|method|endpoint|api)(?: (?:is|can be|allows?|lets?|enables?|helps?"
    r"|provides?|will))*(?: (?:used|able|you|the user|users|to))*"
    r"|(?:a )?(?:tool|function|method|utility) (?:that|which|to|for)\b"
)


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a filler at the beginning of a description."""
    if match := _OPENING.match(visit.tool.description):
        yield KIND.at(visit.at("description"), tool=visit.tool.name, opening=match[0].strip())
