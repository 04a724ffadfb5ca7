"""A call of a destructive tool can name fewer things."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import destroys

KIND = declare(
    __name__,
    "`{tool}` can destroy, and `{keyword}` of {at} is {after} now, and was {before}",
    "take several calls for more",
    mirror="reach-raised",
    callers="break",
    reviewers="note",
)
REFINES = ("argument/bound-tightened",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the bound limits a list of a destructive tool."""
    del new
    return {} if change.values.get("keyword") == "maxItems" and destroys(old) else None
