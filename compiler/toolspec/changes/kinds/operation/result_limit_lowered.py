"""The limit on the size of a result is lower."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the limit of results of `{tool}` is {after} bytes now, and was {before}",
    "page the result",
    mirror="result-limit-raised",
    callers="risk",
    handlers="risk",
)
FACT = "limits.resultBytes"


_DEFAULT = 1_000_000


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference; null is the default of servers."""
    before = old if isinstance(old, int) else _DEFAULT
    after = new if isinstance(new, int) else _DEFAULT
    if before > after:
        yield {"before": before, "after": after}
