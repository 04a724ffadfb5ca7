"""A part of a result is no longer marked as secret."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.texts import value_at

KIND = declare(
    __name__,
    "{at} of `{tool}` is no longer marked as secret",
    "keep the mark, or leave the part out",
    mirror="secret-marked",
    callers="risk",
    handlers="risk",
    reviewers="break",
)
REFINES = ("result/format-changed", "result/format-removed")
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the format was that of passwords."""
    del new
    return {} if value_at(old, change.old) == "password" else None
