"""A text holds the blanks of a template that nobody filled in.

Whoever fills them in later decides what a model reads, and nobody reviews that. As they are they tell
the model nothing.

Reported:

    tools:
      - name: search
        description: "Finds the notes of {{ user.name }}."
    ---
    tools:
      - name: search
        description: "Finds notes in ${NOTES_FOLDER}."

Accepted:

    tools:
      - name: render
        description: "Fills in `{{name}}` and `${NAME}`."
      - name: price
        description: "Costs $5 {roughly}."
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import DocumentVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "this text contains the unfilled placeholder `{blank}`",
    "write what belongs there; put what is meant literally in backticks",
)
VISITS = DocumentVisit
_SUSPECT = r"\{\{|\$\{|<%"
_BLANK = re.compile(r"\{\{ ?[\w.]+ ?\}\}|\$\{\w+\}|<%=? ?[\w.]+ ?%>")
_CODE = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"|'[^']*'", re.DOTALL)


def check(visit: DocumentVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each description with a blank of a template outside of code."""
    for text in visit.texts(_SUSPECT):
        found = _BLANK.search(_CODE.sub("", text.text)) if text.is_prose else None
        if found:
            yield KIND.at(visit.span(text), subject=visit.about(text), blank=found[0])
