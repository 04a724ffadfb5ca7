"""A text holds the blanks of a template that nobody filled in."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text contains the unfilled placeholder `{blank}`",
    "write what belongs there; put what is meant literally in backticks",
)
VISITS = DocumentVisit
_SUSPECT = r"\{\{|\$\{|<%"
_BLANK = re.compile(r"\{\{ ?[\w.]+ ?\}\}|\$\{\w+\}|<%=? ?[\w.]+ ?%>")
_CODE = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"|'[^']*'", re.DOTALL)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each description with a blank of a template outside of code."""
    for text in visit.texts(_SUSPECT):
        found = _BLANK.search(_CODE.sub("", text.text)) if text.is_prose else None
        if found:
            yield KIND.at(visit.span(text), subject=visit.about(text), blank=found[0])
