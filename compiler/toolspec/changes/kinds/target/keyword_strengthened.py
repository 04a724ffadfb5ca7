"""A target enforces a keyword of a tool more."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, outcomes

KIND = declare(
    __name__,
    "`{keyword}` at {at} of `{tool}` is {after} for {targets} now, and was {before}",
    mirror="keyword-weakened",
    models="note",
)
FACT = "lowered"
NEEDS = ("input",)


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield each keyword with the targets for which its outcome is stronger."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    for outcome, targets in outcomes(old, new).items():
        if not outcome.is_weaker:
            yield {
                "keyword": outcome.keyword,
                "at": outcome.pointer or "the root",
                "targets": listed(targets),
                "before": outcome.before,
                "after": outcome.after,
            }
