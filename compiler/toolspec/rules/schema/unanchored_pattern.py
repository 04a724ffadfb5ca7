r"""A pattern describes a whole text and accepts any text that contains one.

JSON Schema looks for a match anywhere: `[0-9]+` accepts `x2024; drop table`. A pattern of repeated
classes is nearly always meant for the whole text, and then needs `^` and `$`.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          properties: {year: {type: string, pattern: '[0-9]+'}}
    ---
    tools:
      - name: show
        inputSchema:
          type: object
          properties: {code: {type: string, pattern: '\w+-\d+'}}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            year: {type: string, pattern: '^[0-9]+$'}
            link: {type: string, pattern: '^https?://'}
            file: {type: string, pattern: '[a-z]+\.csv$'}
            text: {type: string, pattern: '\S'}
            word: {type: string, pattern: '\S+'}
            both: {type: string, pattern: '(^[a-z]+|[0-9]+$)'}
            mail: {type: string, pattern: '@'}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the pattern accepts every text that contains a match",
    "anchor it: `{anchored}`",
)
VISITS = SchemaVisit
# Each takes the place of a class or an escaped character, so that only operators are left.
_LITERAL = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.", re.DOTALL)
_ANCHOR = re.compile(r"[$^]|\(\?<?[=!]")
_REPEATED = re.compile(r"C(?:[+*]|\{\d)")


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each pattern without an anchor that repeats a class."""
    for path, node in visit.using("pattern"):
        pattern = node["pattern"]
        if not isinstance(pattern, str) or pattern in {r"\S+", r"\S*"}:
            continue
        plain = _LITERAL.sub(_shortened, pattern)
        if _ANCHOR.search(plain) or not _REPEATED.search(plain):
            continue
        anchored = f"^(?:{pattern})$" if "|" in plain else f"^{pattern}$"
        place = visit.place(*path, "pattern")
        edit = edits.replace_value(place, anchored) if place else ()
        fix = edits.fix("anchor it at both ends", edit)
        yield visit.finding(KIND, (*path, "pattern"), fix=fix, anchored=anchored)


def _shortened(found: re.Match[str]) -> str:
    """Return `C` for a class, a full stop for another escaped character."""
    return "C" if found[0][0] == "[" or found[0][1:] in {"d", "w", "D", "W", "s", "S"} else "."
