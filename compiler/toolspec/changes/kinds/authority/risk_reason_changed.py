"""The reason for the risk of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the reason for the risk of `{tool}` changed from {before} to {after}",
    mirror="risk-reason-changed",
    reviewers="risk",
)
FACT = "risk"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference of the reasons for one tier."""
    if not isinstance(old, dict) or not isinstance(new, dict) or old.get("tier") != new.get("tier"):
        return
    before, after = old.get("reason"), new.get("reason")
    if before != after:
        yield {"before": shown(before), "after": shown(after)}
