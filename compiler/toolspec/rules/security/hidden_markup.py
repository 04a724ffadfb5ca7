"""A text contains markup that is invisible when rendered."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text contains {what}, which is invisible when rendered",
    "delete it, or write it as visible text",
)
VISITS = DocumentVisit
_LABELS = ("a comment", "a script", "a link that runs")
_SUSPECT = r"<!--|(?i:<script|\]\((?:javascript|data):)"
_HIDDEN = re.compile(r"(?i)(<!--)|(<script\b)|(\]\((?:javascript|data):)")
_CODE = re.compile(r"`[^`]*`")


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text with a comment, a script or an executable link."""
    for text in visit.texts(_SUSPECT):
        if match := _HIDDEN.search(_CODE.sub("", text.text)):
            what = next(
                label for label, group in zip(_LABELS, match.groups(), strict=True) if group
            )
            yield KIND.at(visit.span(text), subject=visit.about(text), what=what)
