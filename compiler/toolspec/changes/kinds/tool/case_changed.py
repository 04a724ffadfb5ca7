"""Only the case of a tool's name changed."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` is called `{renamed}` now, which differs in case",
    "keep the name, or add `{tool}` to the `aliases` of `{renamed}`",
    mirror="case-changed",
    callers="break",
    handlers="risk",
    models="note",
    reviewers="risk",
)
REFINES = ("tool/renamed",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the names differ in case only."""
    del old, new
    names = [str(change.values[name]).casefold() for name in ("tool", "renamed")]
    return {} if names[0] == names[1] else None
