"""The stated risk of a tool is lower."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the risk of `{tool}` is tier {after} now, and was {before}",
    "state in the reason of the pull request why the calls are less dangerous",
    mirror="risk-raised",
    reviewers="break",
)
FACT = "risk"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference of a stated tier, which has a reason."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    before, after = old.get("tier"), new.get("tier")
    if not isinstance(before, int) or not isinstance(after, int):
        return
    if before > after and old.get("reason"):
        yield {"before": before, "after": after}
