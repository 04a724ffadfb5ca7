"""A text is an unfinished placeholder."""

import re

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "this text is a placeholder: `{text}`",
    "write the text",
)
VISITS = DocumentVisit
_SUSPECT = r"(?i)TODO|FIXME|TBD|lorem ipsum|placeholder|(?:goes|go) here|add (?:a )?description"
_PLACEHOLDER = re.compile(
    r"^\W*(?:TODO|FIXME|TBD)\b(?=\W*(?:$|:|-))"
    r"|(?i:lorem ipsum|^\W*placeholder\W*$|^\W*(?:text|description) (?:goes|go) here"
    r"|^\W*add (?:a )?description)"
)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text that is or begins with a placeholder."""
    for text in visit.texts(_SUSPECT):
        match = _PLACEHOLDER.search(text.text) if text.is_prose else None
        if match:
            yield KIND.at(visit.span(text), subject=visit.about(text), text=match[0].strip())
