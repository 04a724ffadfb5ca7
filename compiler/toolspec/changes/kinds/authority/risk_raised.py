"""The stated risk of a tool is higher."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the risk of `{tool}` is tier {after} now, and was {before}",
    mirror="risk-lowered",
    callers="note",
    reviewers="risk",
)
FACT = "risk"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference of a stated tier, which has a reason."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    before, after = old.get("tier"), new.get("tier")
    if not isinstance(before, int) or not isinstance(after, int):
        return
    if before < after and new.get("reason"):
        yield {"before": before, "after": after}
