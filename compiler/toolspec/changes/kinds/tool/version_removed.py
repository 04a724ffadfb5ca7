"""A version of a tool is gone, and the tool has others."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` is gone; `{other}` answers the bare name",
    "deprecate the version first, and remove it after its callers have changed",
    mirror="version-added",
    callers="break",
    handlers="risk",
    models="note",
    reviewers="note",
)
REFINES = ("tool/removed",)
NEEDS = ("versions",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if another version is left."""
    del old, new
    return {} if change.values["other"] else None
