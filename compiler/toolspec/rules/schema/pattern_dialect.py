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

import re
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
    Severity.WARNING,
    "the pattern uses {part}, which {engines} {verb} not know",
    "write it with classes, groups and repetitions alone, or check the rest in the handler",
)
VISITS = SchemaVisit
# Outside of classes, and with escaped backslashes taken out.
_KNOWN_TO_FEW = (
    (re.compile(r"\(\?<?[=!]"), "look-around", "the engines of Go and Rust", "do"),
    (re.compile(r"\\[1-9]"), "a back-reference", "the engines of Go and Rust", "do"),
    (re.compile(r"\(\?<(?![=!])|\\k<"), "a named group of JavaScript", "Python's `re`", "does"),
    (re.compile(r"\\u\{|\\c[A-Za-z]"), "an escape of JavaScript", "Python's `re`", "does"),
    (re.compile(r"\\[pP]\{"), "a property of characters", "Python's `re`", "does"),
)
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_IN_CLASS = re.compile(r"\\[pPuc](?:\{|[A-Za-z])")


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first such part of each pattern."""
    for path, node in visit.using("pattern", "patternProperties"):
        keyed = node.get("patternProperties")
        patterns = [((*path, "pattern"), node.get("pattern"))]
        if isinstance(keyed, dict):
            patterns += (((*path, "patternProperties", key), key) for key in keyed)
        for at, pattern in patterns:
            if isinstance(pattern, str) and (found := _special(pattern)):
                part, engines, verb = found
                yield visit.finding(KIND, at, part=part, engines=engines, verb=verb)


def _special(pattern: str) -> tuple[str, str, str] | None:
    plain = pattern.replace(r"\\", "")
    kept = _CLASS.sub(lambda each: "".join(_IN_CLASS.findall(each[0])), plain)
    found = (tuple(of) for engine, *of in _KNOWN_TO_FEW if engine.search(kept))
    part = next(found, None)
    return (part[0], part[1], part[2]) if part else None
