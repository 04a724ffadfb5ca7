"""An amount of money is a floating-point number."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` is an amount of money as a floating-point number",
    "use an `integer` of cents, or a `string` of digits, and name the currency",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_MONEY = re.compile(
    r"(?:.*_)?(?:price|amount|fee|balance|salary|subtotal|budget|refund)"
    r"|[a-z]+(?:Price|Amount|Fee|Balance|Salary|Subtotal|Budget|Refund)"
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each number whose name means money."""
    for member in visit.properties:
        if (
            member.schema.get("type") == "number"
            and _MONEY.fullmatch(member.name)
            and "multipleOf" not in member.schema
        ):
            yield visit.diagnostic(KIND, member.path, name=member.name)
