"""A text contains an unfilled placeholder of a template."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text contains the unfilled placeholder `{blank}`",
    "replace the placeholder, or put it in backticks if it is meant literally",
)
VISITS = DocumentVisit
_SUSPECT = r"\{\{|\$\{|<%"
_BLANK = re.compile(r"\{\{ ?[\w.]+ ?\}\}|\$\{\w+\}|<%=? ?[\w.]+ ?%>")
_CODE = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"|'[^']*'", re.DOTALL)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each description with a placeholder outside of code."""
    for text in visit.texts(_SUSPECT):
        match = _BLANK.search(_CODE.sub("", text.text)) if text.is_prose else None
        if match:
            yield KIND.at(visit.span(text), subject=visit.about(text), blank=match[0])
