"""A number is too large for many readers of JSON.

From 2^53 on a floating-point number cannot hold every integer, and that is all that JavaScript and many other clients
have: an id of 18 digits comes back as another one. A text holds any number of digits.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          properties: {id: {type: integer, maximum: 9223372036854775807}}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            id: {type: string, pattern: '^[0-9]+$'}
            size: {type: integer, minimum: -9007199254740991, maximum: 9007199254740991}
            huge: {type: number, maximum: 1.0e+300}
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
    Severity.WARNING,
    "{value} is more than many readers of JSON can hold exactly",
    "take identifiers as texts, and keep other numbers below 2^53",
)
VISITS = SchemaVisit
# RFC 8259, section 6: integers within these bounds are the same to everybody.
_MOST = 2**53 - 1
_KEYWORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const", "default")
# Half open intervals are written with the first number that is too large.
_EXCLUSIVE = ("exclusiveMinimum", "exclusiveMaximum")


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first such number of each subschema."""
    for path, node in visit.using(*_KEYWORDS):
        for keyword in _KEYWORDS:
            value = node.get(keyword)
            if isinstance(value, int) and abs(value) > _MOST + (keyword in _EXCLUSIVE):
                yield visit.finding(KIND, (*path, keyword), value=value)
                break
