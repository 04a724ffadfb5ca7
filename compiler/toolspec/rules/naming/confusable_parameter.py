"""A parameter's name mixes letters of different scripts.

A Cyrillic `а` looks like a Latin one and is another letter. A caller who types what it sees sends a
parameter that the tool does not know, and two parameters can look the same.

Reported:

    tools:
      - name: get
        inputSchema: {type: object, properties: {"p\u0430ge": {type: integer, description: Which.}}}

Accepted:

    tools:
      - name: get
        inputSchema:
          type: object
          properties:
            page: {type: integer, description: Which.}
            страница: {type: integer, description: Which.}
            größe: {type: integer, description: How large.}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.ERROR,
    "the name `{name}` mixes letters of {scripts}",
    "write it in one script",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_ALIKE = frozenset({"ARMENIAN", "CYRILLIC", "GREEK", "LATIN"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each property whose name has letters of scripts that look alike."""
    for each in visit.properties:
        if each.name.isascii():
            continue
        scripts = sorted({script for letter in each.name if (script := _script(letter))})
        if len(scripts) > 1:
            yield visit.finding(KIND, each.path, name=each.name, scripts=" and ".join(scripts))


def _script(letter: str) -> str:
    """Return which of the scripts with letters that look alike a letter is of; empty for any other."""
    import unicodedata

    name = unicodedata.name(letter, "").split(" ")[0] if letter.isalpha() else ""
    return name.capitalize() if name in _ALIKE else ""
