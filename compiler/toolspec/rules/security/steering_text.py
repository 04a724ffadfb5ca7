"""A text tells the model to avoid other tools."""

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare, find_steering

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text tells the model to avoid other tools: `{quote}`",
    "say what the tool is for, and leave the choice to the model",
)
VISITS = DocumentVisit
_SUSPECT = (
    r"(?i)(?:instead\s+of|rather\s+than|over)\s+(?:any|all|every)\s[\w\s]{0,60}(?:tool|server)"
    r"|other\s+(?:tool|server|call)"
)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text that claims precedence over unnamed tools."""
    for text in visit.texts(_SUSPECT):
        if quote := find_steering(text.text):
            yield KIND.at(visit.span(text), subject=visit.about(text), quote=quote)
