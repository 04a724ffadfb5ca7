r"""A pattern uses what not every engine knows.

JSON Schema's patterns are ECMA-262's, but a client compiles them with what it has. Python's `re` refuses
`\p{L}` and JavaScript's named groups; the engines of Go and Rust, which cannot be made to run for
ever, have no look-around and no back-references. There the pattern is an error, or is dropped.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {word: {type: string, pattern: '^\p{L}+$'}}
    ---
    tools:
      - name: search
        inputSchema:
          type: object
          properties: {name: {type: string, pattern: '^(?!test)[a-z]+$'}}
    ---
    tools:
      - name: search
        inputSchema:
          type: object
          patternProperties: {'^(a|b)\1$': {type: string}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            name: {type: string, pattern: '^(?:[a-z]\d*|\\1)\.[(?=]$'}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.patterns import special
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the pattern uses {part}, which {lacking} not know",
    "write it with classes, groups and repetitions alone, or check the rest in the handler",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"pattern", "patternProperties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first such part of each pattern."""
    for path, node in visit.using("pattern", "patternProperties"):
        keyed = node.get("patternProperties")
        patterns = [((*path, "pattern"), node.get("pattern"))]
        if isinstance(keyed, dict):
            patterns += (((*path, "patternProperties", key), key) for key in keyed)
        for at, pattern in patterns:
            if isinstance(pattern, str) and (found := special(pattern)):
                part, lacking = found
                yield visit.finding(KIND, at, part=part, lacking=lacking)
