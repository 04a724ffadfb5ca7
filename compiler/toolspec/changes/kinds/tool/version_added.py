"""A tool has a further version."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` is new beside `{other}`",
    mirror="version-removed",
    callers="note",
    handlers="break",
    models="note",
    reviewers="note",
)
REFINES = ("tool/added",)
NEEDS = ("versions",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if there was a version of the tool."""
    del old, new
    return {} if change.values["other"] else None
