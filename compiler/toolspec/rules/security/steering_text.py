"""A text tells the model to avoid other tools."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

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
_STEERING = re.compile(
    r"(?i)(?:instead of|rather than|over) (?:any|all|every)(?: of the)?(?: other)? [\w ]{0,20}(?:tools?|servers?)"
    r"|(?:do not|don't|never) (?:use|call) (?:any )?other (?:tools?|servers?)"
    r"|ignore (?:any|all)? ?other (?:tools?|servers?)"
    r"|(?:always|must) (?:call|use|run) this (?:tool )?before (?:any|every|all) other (?:tools?|calls?)"
)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text that claims precedence over unnamed tools."""
    for text in visit.texts(_SUSPECT):
        if match := _STEERING.search(" ".join(text.text.split())):
            yield KIND.at(visit.span(text), subject=visit.about(text), quote=match[0])
