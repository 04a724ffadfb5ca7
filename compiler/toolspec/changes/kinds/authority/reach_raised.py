"""A call of a destructive tool can name more things."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import destroys

KIND = declare(
    __name__,
    "`{tool}` can destroy, and `{keyword}` of {at} is {after} now, and was {before}",
    "keep the limit, or require an approval for more",
    mirror="reach-lowered",
    callers="note",
    handlers="risk",
    reviewers="break",
    operators="risk",
)
REFINES = ("argument/bound-relaxed",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the bound limits a list of a destructive tool."""
    del old
    return {} if change.values.get("keyword") == "maxItems" and destroys(new) else None
