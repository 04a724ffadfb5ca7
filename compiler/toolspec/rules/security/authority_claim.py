"""A text claims authority or precedence."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text claims authority: `{quote}`",
    "say what the tool does, and leave the choice to the model",
)
VISITS = DocumentVisit
_SUSPECT = (
    r"(?i)only\s+(?:trusted|safe|secure|official|approved|reliable)\s|highest[\s-]+priority"
    r"|(?:trusted|verified|approved|certified)\s+by\s+(?:anthropic|openai|google|microsoft|the\s+system)"
)
_CLAIM = re.compile(
    r"(?i:\bthe only (?:trusted|safe|secure|official|approved|reliable) (?:tool|server|source|way))"
    r"|\bHIGHEST[ -]PRIORITY\b"
    r"|(?i:\b(?:trusted|verified|approved|certified) by (?:anthropic|openai|google|microsoft|the system))"
)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text that claims trust or precedence for itself."""
    for text in visit.texts(_SUSPECT):
        if match := _CLAIM.search(" ".join(text.text.split())):
            yield KIND.at(visit.span(text), subject=visit.about(text), quote=match[0])
