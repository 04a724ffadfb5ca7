"""A text contains markup that is invisible when rendered."""

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare, find_hidden_markup

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text contains {what}, which is invisible when rendered",
    "delete it, or write it as visible text",
)
VISITS = DocumentVisit
_SUSPECT = r"<!--|(?i:<script|\]\((?:javascript|data):)"


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text with a comment, a script or an executable link."""
    for text in visit.texts(_SUSPECT):
        if what := find_hidden_markup(text.text):
            yield KIND.at(visit.span(text), subject=visit.about(text), what=what)
