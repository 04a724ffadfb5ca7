"""A text claims authority or precedence."""

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare, find_claim

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


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text that claims trust or precedence for itself."""
    for text in visit.texts(_SUSPECT):
        if quote := find_claim(text.text):
            yield KIND.at(visit.span(text), subject=visit.about(text), quote=quote)
