"""A text was never written.

`TODO`, `Description goes here` and the blanks of a template reach the model as they are, and it makes
of them what it can.

Reported:

    tools:
      - name: search
        description: "TODO: describe this."
    ---
    tools:
      - name: search
        inputSchema:
          type: object
          properties: {query: {type: string, description: Lorem ipsum dolor sit amet.}}

Accepted:

    tools:
      - name: createTodo
        description: Adds a todo to a list, and returns it.
      - name: search
        description: Finds `TODO` comments, and XXX-large shirts.
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
    "this text is a placeholder: `{text}`",
    "write what a reader needs",
)
VISITS = DocumentVisit
_SUSPECT = r"(?i)TODO|FIXME|TBD|lorem ipsum|placeholder|(?:goes|go) here|add (?:a )?description"
_PLACEHOLDER = re.compile(
    r"^\W*(?:TODO|FIXME|TBD)\b(?=\W*(?:$|:|-))"
    r"|(?i:lorem ipsum|^\W*placeholder\W*$|^\W*(?:text|description) (?:goes|go) here"
    r"|^\W*add (?:a )?description)"
)


def check(visit: DocumentVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each text that is or begins with a placeholder."""
    for text in visit.texts(_SUSPECT):
        found = _PLACEHOLDER.search(text.text) if text.is_prose else None
        if found:
            yield KIND.at(visit.span(text), subject=visit.about(text), text=found[0].strip())
