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

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.patterns import anchored
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
KEYWORDS = frozenset({"pattern"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each pattern without an anchor that repeats a class."""
    for path, node in visit.using("pattern"):
        pattern = node["pattern"]
        if isinstance(pattern, str) and (whole := anchored(pattern)):
            place = visit.place(*path, "pattern")
            edit = edits.replace_value(place, whole) if place else ()
            fix = edits.fix("anchor it at both ends", edit)
            yield visit.finding(KIND, (*path, "pattern"), fix=fix, anchored=whole)
