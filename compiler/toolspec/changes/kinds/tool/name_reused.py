"""A new tool has the name of one that was removed."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` is new, and another tool had this name",
    "give the new tool a name of its own",
    callers="break",
    models="risk",
    reviewers="break",
)
REFINES = ("tool/added",)
NEEDS = ("removed",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if a removed tool had the name and other facts."""
    del old, new
    return {} if change.values["is_reused"] else None
