"""The description says that a parameter is optional or required, and the schema says the opposite.

A model that believes the text leaves out what must be there, and the call is refused. Whether something is required
is best said by the schema alone.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {page: {type: integer, description: (Optional) The page.}}
          required: [page]
    ---
    tools:
      - name: list
        inputSchema:
          type: object
          properties: {owner: {type: string, description: "Required. Whose notes."}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            page: {type: integer, description: (Optional) The page.}
            owner: {type: string, description: Required. Whose notes.}
            branch: {type: string, description: Required if `source` is "git".}
            label: {type: string, description: The label of an optional field.}
          required: [owner, label]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.prose import text_of
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the description says that `{name}` is {told}, the schema says it is {stated}",
    "correct the one that is wrong, and leave the word to the schema",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
# Alone, or as the first word; what depends on another parameter goes on with `if` or `for`.
_WORD = re.compile(
    r"\s*(?:[(\[](optional|required)[)\]]|(optional|required)\s*(?:[.:!;,]|$))"
    r"|.*[(\[](optional|required)[)\]]\.?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each parameter whose description begins or ends with the wrong word."""
    for each in visit.properties if visit.is_input else ():
        text = text_of(each.schema)
        found = _WORD.match(text) if "ptional" in text or "equired" in text else None
        told = next(filter(None, found.groups()), "").casefold() if found else ""
        stated = "required" if each.is_required else "optional"
        if told and told != stated:
            yield visit.finding(KIND, each.path, name=each.name, told=told, stated=stated)
