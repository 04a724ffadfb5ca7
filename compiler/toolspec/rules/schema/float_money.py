"""An amount of money is a floating-point number.

0.1 + 0.2 is not 0.3 in it: sums are off by a cent, and two sides round in different ways. Whole cents, or a text with
the digits, are exact. Where the step is stated with `multipleOf`, rounding at least has a rule.

Reported:

    tools:
      - name: pay
        inputSchema:
          type: object
          properties: {price: {type: number}}

Accepted:

    tools:
      - name: pay
        inputSchema:
          type: object
          properties:
            price: {type: integer, description: In cents.}
            unit_price: {type: number, multipleOf: 0.01}
            amount: {type: string, pattern: '^[0-9]+[.][0-9][0-9]$'}
            cost_factor: {type: number}
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
    Severity.NOTE,
    "`{name}` is money as a floating-point number",
    "take whole cents as `integer`, or digits as `string`, and name the currency",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_MONEY = re.compile(
    r"(?:.*_)?(?:price|amount|fee|balance|salary|subtotal|budget|refund)"
    r"|[a-z]+(?:Price|Amount|Fee|Balance|Salary|Subtotal|Budget|Refund)"
)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each number with a name of money."""
    for each in visit.properties:
        if (
            each.schema.get("type") == "number"
            and _MONEY.fullmatch(each.name)
            and "multipleOf" not in each.schema
        ):
            yield visit.finding(KIND, each.path, name=each.name)
