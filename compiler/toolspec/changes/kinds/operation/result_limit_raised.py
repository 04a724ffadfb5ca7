"""The limit on the size of a result is higher."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the limit of results of `{tool}` is {after} bytes now, and was {before}",
    mirror="result-limit-lowered",
    callers="note",
    models="risk",
    operators="risk",
)
FACT = "limits.resultBytes"


_DEFAULT = 1_000_000


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference; null is the default of servers."""
    before = old if isinstance(old, int) else _DEFAULT
    after = new if isinstance(new, int) else _DEFAULT
    if before < after:
        yield {"before": before, "after": after}
